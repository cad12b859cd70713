"""Regular forms of English and Portuguese words; irregular ones are written out in `data/nli`."""

from __future__ import annotations

import re

_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_ACCENTED = re.compile(r"[áâéêíóôú]")


def english_plural(word: str) -> str:
    """
    >>> [english_plural(word) for word in ("fox", "lily", "toy")]
    ['foxes', 'lilies', 'toys']
    """
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if _SIBILANT.search(word) or word in ("potato", "tomato") else "s")


def english_verb(base: str) -> tuple[str, ...]:
    """Base, -ing, past and participle of a verb that doubles no consonant.

    >>> english_verb("carry")
    ('carry', 'carrying', 'carried', 'carried')
    """
    stem = base[:-1] if base.endswith("e") else base
    past = base[:-1] + "ied" if _CONSONANT_Y.search(base) else stem + "ed"
    return base, stem + "ing", past, past


def english_present(base: str) -> list[str]:
    """Third person singular and plural of the present.

    >>> english_present("carry")
    ['carries', 'carry']
    """
    if base in ("have", "do", "go"):
        return [{"have": "has", "do": "does", "go": "goes"}[base], base]
    return [english_plural(base), base]


def english_adjective(word: str) -> tuple[str, str, str, str]:
    """English adjectives have one form."""
    return word, word, word, word


def portuguese_plural(word: str) -> str:
    """
    >>> [portuguese_plural(word) for word in ("homem", "tambor", "azul", "frágil", "gentil", "feliz", "carro")]
    ['homens', 'tambores', 'azuis', 'frágeis', 'gentis', 'felizes', 'carros']
    """
    if word.endswith("m"):
        return word[:-1] + "ns"
    if word.endswith("il"):
        return word[:-2] + ("eis" if _ACCENTED.search(word) else "is")
    if word.endswith("l"):
        return word[:-1] + "is"
    return word + ("es" if word[-1] in "rz" else "s")


def portuguese_verb(infinitive: str) -> tuple[str, ...]:
    """Infinitive, gerund, past of one and of several, masculine participle of a regular verb.

    >>> portuguese_verb("seguir")
    ('seguir', 'seguindo', 'seguiu', 'seguiram', 'seguido')
    """
    stem, vowel = infinitive[:-2], infinitive[-2]
    past = {"a": "ou", "e": "eu", "i": "iu"}[vowel]
    participle = "ado" if vowel == "a" else "ido"
    return infinitive, f"{stem}{vowel}ndo", stem + past, f"{stem}{vowel}ram", stem + participle


_PRESENT = {
    "rir": "ri riem", "sorrir": "sorri sorriem", "cair": "cai caem", "sair": "sai saem", "ler": "lê leem",
    "ver": "vê veem", "fazer": "faz fazem", "trazer": "traz trazem", "dizer": "diz dizem", "ter": "tem têm",
    "pôr": "põe põem", "dar": "dá dão", "ir": "vai vão", "subir": "sobe sobem", "fugir": "foge fogem",
    "entupir": "entope entopem", "passear": "passeia passeiam", "vaguear": "vagueia vagueiam",
    "frear": "freia freiam", "odiar": "odeia odeiam", "construir": "constrói constroem",
}  # fmt: skip


def portuguese_present(infinitive: str) -> list[str]:
    """Third person singular and plural of the present.

    >>> portuguese_present("sentar-se"), portuguese_present("fazer")
    (['senta-se', 'sentam-se'], ['faz', 'fazem'])
    """
    verb, dash, pronoun = infinitive.partition("-")
    vowel = "a" if verb[-2] == "a" else "e"
    forms = _PRESENT[verb].split() if verb in _PRESENT else [verb[:-2] + vowel, f"{verb[:-2]}{vowel}m"]
    return [form + dash + pronoun for form in forms]


def portuguese_adjective(masculine: str) -> tuple[str, str, str, str]:
    """
    >>> portuguese_adjective("novo")
    ('novo', 'nova', 'novos', 'novas')
    """
    feminine = masculine[:-1] + "a" if masculine.endswith("o") else masculine
    return masculine, feminine, portuguese_plural(masculine), portuguese_plural(feminine)

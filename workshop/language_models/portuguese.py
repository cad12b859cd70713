"""Old Portuguese spelling to the present one (1990 agreement, Brazilian forms), word by word.

Novels of before 1911 write *elle*, *annos*, *pharmacia*, *d'aquella* and *fazel-o*, which a reader of today's
Portuguese does not meet. Rules propose present spellings and a list of present words decides: a word in the list is
kept, a proposal in the list, with whatever accents, is taken, and a word without any stays unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")

ALWAYS = {
    "á": "à", "ás": "às", "ha": "há", "dous": "dois", "cousa": "coisa", "cousas": "coisas", "alli": "ali",
    "ahi": "aí", "hontem": "ontem", "mez": "mês", "tres": "três", "traz-os-montes": "trás-os-montes", "mãi": "mãe",
    "mãis": "mães", "noute": "noite", "noutes": "noites", "sae": "sai", "cae": "cai", "vae": "vai", "pae": "pai",
    "paes": "pais", "eguaes": "iguais", "egual": "igual", "quaes": "quais", "taes": "tais", "reaes": "reais",
    "fóra": "fora", "fôra": "fora", "êle": "ele", "êles": "eles", "êste": "este", "êsse": "esse", "sôbre": "sobre",
    "côr": "cor", "p'ra": "pra", "p'ro": "pro", "quasi": "quase", "logar": "lugar", "logares": "lugares",
    "podesse": "pudesse", "podessem": "pudessem", "poude": "pôde", "teem": "têm", "veem": "veem", "agua": "água",
    "viuva": "viúva", "peor": "pior", "peior": "pior", "irman": "irmã", "manhan": "manhã", "oiro": "ouro",
    "propria": "própria", "paiz": "país", "porêm": "porém", "emfim": "enfim", "magestade": "majestade",
    "pagem": "pajem", "idéa": "ideia", "idéas": "ideias",
}  # fmt: skip
"""Frequent words whose old form is a word of today too, or that no rule reaches."""

RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"ph", "f"), (r"th", "t"), (r"rh", "r"), (r"y", "i"), (r"k", "c"), (r"w", "v"), (r"ch(?=[rlt])", "c"),
        (r"gn", "n"), (r"mn", "n"), (r"m(?=[^aeiouáéíóúâêôãõmpb])", "n"), (r"mpt", "nt"), (r"gm", "m"),
        (r"sc(?=[eiéêí])", "c"), (r"([bdfglmnpt])\1", r"\1"), (r"cc(?=[aouáóãõâô])", "c"), (r"cc(?=[eiéíê])", "c"),
        (r"n$", "m"), (r"c[cç](?=[eiãõ])", "ç"), (r"cç", "ç"), (r"pç", "ç"), (r"c(?=t)", ""), (r"p(?=t)", ""),
        (r"^h(?=[aeiouáéíóú])", ""), (r"(?<=[aeioué])h(?=[aeiouíé])", ""), (r"éo(?=s?$)", "éu"),
        (r"e(?=[aou])", "i"), (r"^eg", "ig"), (r"iu$", "io"), (r"ez$", "ês"), (r"az$", "ás"), (r"iz$", "is"),
        (r"oz$", "ós"), (r"uz$", "us"), (r"z(?=[aeo])", "s"), (r"s(?=[aeo])", "z"), (r"ae$", "ai"), (r"aes$", "ais"),
        (r"oes$", "óis"), (r"eo$", "eu"), (r"io$", "iu"), (r"ou", "oi"), (r"^ch(?=[aeiou])", "c"),
        (r"ch(?=[aou])", "c"), (r"ch(?=[ei])", "qu"), (r"qu(?=[aá])", "c"), (r"^e(?=[dmnsx])", "i"),
        (r"^i(?=[dmnsx])", "e"), (r"am$", "ão"), (r"^s(?=[cpt])", "es"), (r"^ex", "es"),
    )
)  # fmt: skip
"""What the reforms of 1911 to 1990 changed, each tried alone and after those before it."""

CLITIC = re.compile(r"^(.*[aei])l-([oa]s?)$")
STRONG = str.maketrans("aei", "áêí")
MOST_STEPS = 4
"""Most rules that are applied to one word."""


def present(word: str) -> str:
    """A word of a list from before 2009 in the spelling of 1990: `idéia` as `ideia`, `tranqüilo` without ü."""
    for old, new in (("ü", "u"), ("éia", "eia"), ("óia", "oia"), ("ôo", "oo"), ("êem", "eem")):
        word = word.replace(old, new)
    return word


def bare(word: str) -> str:
    """The word without accents, small letters; `ç` stays."""
    kept = word.casefold().replace("ç", "\0")
    flat = "".join(c for c in unicodedata.normalize("NFD", kept) if not unicodedata.combining(c))
    return flat.replace("\0", "ç")


class Modernizer:
    """Present spellings by a list of present words; `changed` and `unknown` count words of the text read so far."""

    def __init__(self, words: Iterable[str]) -> None:
        self.known = {present(word.strip().casefold()) for word in words if word.strip()}
        self.accented: dict[str, str] = {}
        for word in sorted(self.known, key=lambda one: (one != bare(one), one[-1:] in "áéíóúâêô", one), reverse=True):
            self.accented[bare(word)] = word
        self.words = self.changed = self.unknown = 0
        self.modern = lru_cache(maxsize=None)(self._modern)

    def text(self, sentence: str) -> str:
        """The sentence in present spelling; its punctuation and capital letters stay."""
        return WORD.sub(self._match, sentence)

    def sentence(self, old: str) -> str:
        """The sentence in present spelling; empty if one word in ten, or three words, are still not of today."""
        new = self.text(old)
        strangers = self.strangers(new)
        if strangers > 2 or 10 * strangers > new.count(" ") + 1:
            return ""
        self.unknown += strangers
        return new

    def strangers(self, sentence: str) -> int:
        """How many small-letter words of the sentence are not words of today."""
        found = (match[0] for match in WORD.finditer(sentence))
        return sum(word[0].islower() and not self._is_known(word) for word in found)

    def _is_known(self, word: str) -> bool:
        return all(part in self.known or len(part) < 2 for part in re.split(r"[-'’]", word.casefold()))

    def _match(self, match: re.Match[str]) -> str:
        word = match[0]
        new = self.modern(word.casefold())
        self.words += 1
        self.changed += new != word.casefold()
        if word.isupper() and len(word) > 1:
            return new.upper()
        return new[:1].upper() + new[1:] if word[0].isupper() else new

    def _modern(self, word: str) -> str:
        if word in ALWAYS:
            return ALWAYS[word]
        if word in self.known:
            return word
        if found := self._joined(word):
            return found
        if clitic := CLITIC.match(word):
            stem = clitic[1]
            return f"{stem[:-1]}{stem[-1].translate(STRONG)}-l{clitic[2]}"
        if "-" in word:
            return "-".join(self.modern(part) for part in word.split("-"))
        return next((spelled for form in proposals(word) if (spelled := self._spelled(form))), word)

    def _joined(self, word: str) -> str:
        """`d'aquella` as `daquela`, `n'um` as `num`: the elisions that are one word today."""
        head, mark, tail = word.replace("’", "'").partition("'")
        if not mark:
            return ""
        tail = self.modern(tail)
        joined = self._spelled(head + tail)
        return joined or (f"{head}e {tail}" if head in ("d", "qu", "m", "t", "s", "lh") else "")

    def _spelled(self, form: str) -> str:
        """The present word with these letters, whatever its accents; empty if there is none."""
        return form if form in self.known else self.accented.get(bare(form), "")


def proposals(word: str) -> Iterator[str]:
    """Spellings to try, the nearest to the old one first: without a change, then with one rule, two, and so on."""
    seen, front = {word}, [word]
    yield word
    for _ in range(MOST_STEPS):
        following = []
        for form in front:
            for pattern, by in RULES:
                if (new := pattern.sub(by, form)) not in seen:
                    seen.add(new)
                    following.append(new)
        yield from following
        front = following[:200]

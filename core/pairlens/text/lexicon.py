"""Words by class and form: the lexicons of `data/lexicon`, one file per language.

A file has a table per part of speech and in it lists of entries by class, such as `person` or, one level down, `f`.
An entry is one word with its forms. The features of a form (`past sg`) are in the table's `forms`; the gender of a
noun is the subclass it stands in.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from pairlens.errors import InputError, unknown
from pairlens.places import bundled

FOLDER = bundled("lexicon")
OPEN_CLASSES = frozenset({"noun", "verb", "adjective", "adverb", "name"})
"""The parts of speech whose words are interchangeable; the others are small closed sets."""
DIMENSIONS: Mapping[str, tuple[str, str]] = {"number": ("sg", "pl"), "gender": ("m", "f")}
"""Features that words agree in, and the two values of each."""
AGREEING = frozenset(value for values in DIMENSIONS.values() for value in values)

Features = frozenset[str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One word: its part of speech, class and subclass (`noun`, `person`, `f`), and its forms with their features."""

    path: tuple[str, ...]
    forms: tuple[str, ...]
    features: tuple[Features, ...]

    @property
    def gender(self) -> Features:
        """m or f, empty for a word that has none."""
        return AGREEING.intersection(self.path)

    @property
    def is_open(self) -> bool:
        return self.path[0] in OPEN_CLASSES


@dataclass(frozen=True)
class Lexicon:
    """The words of one language, in the order of the file."""

    language: str
    title: str
    entries: tuple[Entry, ...]

    @cached_property
    def classes(self) -> frozenset[str]:
        return frozenset(name for entry in self.entries for name in entry.path)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every form, in lower case."""
        return frozenset(form.lower() for entry in self.entries for form in entry.forms)

    def select(self, classes: Sequence[Sequence[str]]) -> tuple[Entry, ...]:
        """The entries in all these classes; each is given as one name, or as several of which one suffices.

        `[["noun"], ["m", "f"]]` are the nouns that have a gender. Raises InputError for an unknown name, for classes
        without a common word, and for words of several parts of speech.
        """
        for name in (name for names in classes for name in names):
            if name not in self.classes:
                raise InputError(unknown(f"class of {self.title} words", name, self.classes))
        written = ".".join("/".join(names) for names in classes)
        selected = tuple(e for e in self.entries if all(not set(names).isdisjoint(e.path) for names in classes))
        if not selected:
            raise InputError(
                f"No word of the {self.title} lexicon is in '{written}', in all of these classes at once."
            )
        if len(parts := sorted({entry.path[0] for entry in selected})) > 1:
            raise InputError(f"'{written}' may be {' or '.join(parts)}: write '{parts[0]}.{written}', say.")
        return selected


def lexicon(language: str) -> Lexicon:
    """The lexicon of a language by its code (en, fr, pt); InputError names those there are."""
    if language not in lexicons():
        raise InputError(unknown("lexicon of the language", language, lexicons()))
    return lexicons()[language]


@cache
def lexicons() -> Mapping[str, Lexicon]:
    """All lexicons by language code, English first."""
    lexemes = {}
    for path in sorted(FOLDER.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        parts = {name: part for name, part in content.items() if isinstance(part, dict)}
        entries = (entry for name, part in parts.items() for entry in _entries((name,), part, part.get("forms")))
        lexemes[content["language"]] = Lexicon(content["language"], content["title"], tuple(entries))
    return lexemes


@lru_cache(maxsize=4096)
def form_number(forms: tuple[Features, ...], asked: Features, agreed: Features = frozenset()) -> int:
    """The place of the intended form of a word, given the features of each form.

    It has all features `asked` for, contradicts none of those `agreed` on, and has the fewest others; `asked` takes
    precedence over `agreed`. Raises InputError if there is no such form, or several.
    """
    agreed -= {value for values in DIMENSIONS.values() if asked & {*values} for value in values}
    pairs = [*map(frozenset, DIMENSIONS.values())]
    ranked = sorted(
        (len(features - asked - agreed), -len(features & agreed), number)
        for number, features in enumerate(forms)
        if asked <= features
        and not any(features & pair and agreed & pair and not features & agreed & pair for pair in pairs)
    )
    wanted = form_name(asked | agreed) or "any"
    known = ", ".join(map(form_name, forms))
    if not ranked:
        raise InputError(f"there is no form '{wanted}' here. Known: {known or 'one form without features'}.")
    if len(ranked) > 1 and ranked[0][:2] == ranked[1][:2]:
        raise InputError(f"'{wanted}' could be several forms: say which. Known: {known}.")
    return ranked[0][2]


def form_name(features: Features) -> str:
    """`past sg`: features as they are written, number last."""
    return " ".join(sorted(features, key=lambda feature: (feature in AGREEING, feature)))


def _entries(path: tuple[str, ...], part: Mapping[str, Any], names: Sequence[str] | None) -> Iterator[Entry]:
    """The entries of a part of speech or class. Without names of forms, a line is the one form of its word."""
    features = tuple(frozenset(name.split()) for name in names or [""])
    for name, content in part.items():
        if isinstance(content, dict):
            yield from _entries((*path, name), content, names)
        elif name != "forms":
            for line in content:
                yield Entry((*path, name), tuple(line.split()) if names else (line,), features)


_LETTERS = r"[^\W\d_]+(?:['’-][^\W\d_]+)*"
_WORD = re.compile(_LETTERS)
_FRENCH_WORD = re.compile(rf"(?:\b(?:[cdjlmnst]|qu)['’])|{_LETTERS}", re.IGNORECASE)


def words_of(text: str, language: str) -> list[str]:
    """The words in lower case; in French also an elided one (*l'*)."""
    return [match.group().lower() for match in _pattern(language).finditer(text)]


def exchanged(text: str, new: Mapping[int, str], language: str) -> str:
    """The text with its n-th words replaced; a capital stays a capital."""
    parts, end = [], 0
    for number, match in enumerate(_pattern(language).finditer(text)):
        word = new.get(number, match.group())
        parts += [text[end : match.start()], word[0].upper() + word[1:] if match.group()[0].isupper() else word]
        end = match.end()
    return "".join([*parts, text[end:]])


def lexicon_of(texts: Iterable[str]) -> Lexicon:
    """The lexicon that has most of the texts' words; the first of those that have equally many."""
    listed = list(texts)

    def known(lexicon: Lexicon) -> int:
        return sum(word in lexicon.words for text in listed for word in words_of(text, lexicon.language))

    return max(lexicons().values(), key=known)


def _pattern(language: str) -> re.Pattern[str]:
    return _FRENCH_WORD if language == "fr" else _WORD

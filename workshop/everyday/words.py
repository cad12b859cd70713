"""The words of words.toml, with their forms."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from workshop.everyday.conjugation import Verb, conjugated
from workshop.nli_generator.inflection import portuguese_adjective, portuguese_plural

FILE = Path(__file__).with_name("words.toml")


@dataclass(frozen=True, slots=True)
class Noun:
    """Singular and plural; `gender` is m or f."""

    singular: str
    plural: str
    gender: str

    def form(self, plural: bool) -> str:
        return self.plural if plural else self.singular


@dataclass(frozen=True, slots=True)
class Words:
    """Nouns, adjectives (m sg, f sg, m pl, f pl), verbs and phrases by class; names by gender.

    `phrases` are used as they are: times, manners, openings of clauses.
    """

    nouns: dict[str, tuple[Noun, ...]]
    names: dict[str, tuple[str, ...]]
    adjectives: dict[str, tuple[tuple[str, ...], ...]]
    verbs: dict[str, tuple[Verb, ...]]
    phrases: dict[str, tuple[str, ...]]

    def verb(self, infinitive: str) -> Verb:
        """A verb that stands alone in its class."""
        (found,) = self.verbs[infinitive]
        return found


@cache
def words() -> Words:
    """The words of the file."""
    content = tomllib.loads(FILE.read_text("utf-8"))
    adjectives, verbs, phrases = (content.pop(name) for name in ("adjectives", "verbs", "phrases"))
    names = {gender: tuple(content["people"].pop(f"names_{gender}")) for gender in "mf"}
    return Words(
        {
            name: tuple(_noun(entry, gender) for gender in "mf" for entry in entries[gender])
            for name, entries in content.items()
        },
        names,
        {name: tuple(map(_adjective, entries)) for name, entries in adjectives.items()},
        {name: tuple(map(conjugated, [one] if isinstance(one, str) else one)) for name, one in verbs.items()},
        {name: tuple(entries) for name, entries in phrases.items()},
    )


def _noun(entry: str, gender: str) -> Noun:
    singular, *plural = entry.split()
    return Noun(singular, plural[0] if plural else portuguese_plural(singular), gender)


def _adjective(entry: str) -> tuple[str, ...]:
    forms = tuple(entry.split())
    return forms if len(forms) > 1 else portuguese_adjective(entry)

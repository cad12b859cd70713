"""The words of a language: their selection, hypernyms, synonyms, and what excludes what."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pairlens.places import bundled
from workshop.nli_generator import inflection

FOLDER = bundled("nli")
FORMS = 4
"""Of an adjective."""
LANGUAGES = {"en": "english", "pt": "portuguese"}

Kinds = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun in both numbers. Verbs select its `kind`; `says_less` is its hypernym."""

    singular: str
    plural: str
    gender: str
    kind: str
    says_less: Noun | None = None


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb's forms, and the kinds of its subject and object; an intransitive verb has no kinds of object.

    Forms may have several words (*ride a horse*, *look at*); such a verb has no passive.
    """

    base: str
    progressive: str
    past: str
    past_plural: str
    participle: str
    by: Kinds
    of: Kinds
    present: tuple[str, str] = ("", "")


NO_VERB = Verb("", "", "", "", "", (), ())
"""Of a clause that says what somebody is like."""


@dataclass(frozen=True, slots=True)
class Adjective:
    """Masculine and feminine, singular and plural; the same form four times in English.

    `lasting`: said with *ser* and not with *estar*.
    """

    forms: tuple[str, str, str, str]
    lasting: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language for training pairs, or those for evaluation pairs.

    `narrower` are pairs of a verb and its hypernym; opposites exclude each other; adjectives are listed by the kind
    of noun that they modify. Nobody does two of the `exclusive` verbs, given by their base, at once. Whatever happens
    at a place happens at its wider ones (*in the park*: *outdoors*).
    """

    language: str
    nouns: tuple[Noun, ...]
    accessories: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    narrower: tuple[tuple[Verb, Verb], ...]
    synonymous_nouns: tuple[tuple[Noun, Noun], ...]
    synonymous_verbs: tuple[tuple[Verb, Verb], ...]
    opposite_verbs: tuple[tuple[Verb, Verb], ...]
    exclusive: frozenset[str]
    opposite_adjectives: tuple[tuple[str, Adjective, Adjective], ...]
    adjectives: Mapping[str, tuple[Adjective, ...]]
    places: tuple[str, ...]
    clothes: tuple[Noun, ...]
    like_adjectives: tuple[tuple[Adjective, Adjective], ...]
    wider_places: Mapping[str, tuple[str, ...]]

    def of_kinds(self, kinds: Kinds) -> list[Noun]:
        """The nouns of these kinds."""
        return [noun for noun in self.nouns if noun.kind in kinds]


@cache
def words(language: str, *, held_out: bool = False) -> Vocabulary:
    """The words of `en` or `pt` for training pairs, or those for evaluation pairs."""
    text = (FOLDER / f"{LANGUAGES[language]}.toml").read_text("utf-8")
    content: dict[str, Any] = tomllib.loads(text)
    lasting = frozenset(content.pop("lasting", ()))
    parts = {
        name: [group for group in part if group.get("held_out", False) == held_out]
        for name, part in content.items()
        if name != "language"
    }
    return _Reader(language, parts, lasting).read()


class _Reader:
    """One half of a language's file into words with all their forms."""

    def __init__(self, language: str, parts: Mapping[str, list[dict[str, Any]]], lasting: frozenset[str]) -> None:
        self._language = language
        self._parts = parts
        self._lasting = lasting

    def read(self) -> Vocabulary:
        accessories: list[Noun] = []
        clothes: list[Noun] = []
        nouns: list[Noun] = []
        for group in self._parts["nouns"]:
            less = self._noun(group["is"], group["kind"]) if "is" in group else None
            made = [self._noun(word, group["kind"], less) for word in group["words"]]
            {"accessory": accessories, "clothes": clothes}.get(group["kind"], nouns).extend(made)
        verbs = [self._verb(word, group) for group in self._parts["verbs"] for word in group["words"]]
        return Vocabulary(
            language=self._language,
            nouns=tuple(nouns),
            accessories=tuple(accessories),
            verbs=tuple(verbs),
            narrower=tuple(
                (self._verb(word, group), self._verb(group["verb"], group))
                for group in self._parts["narrower"]
                for word in group["words"]
            ),
            synonymous_nouns=tuple(
                (self._noun(one, group["kind"]), self._noun(other, group["kind"]))
                for group in self._parts["synonyms"]
                for one, other in group.get("nouns", ())
            ),
            synonymous_verbs=self._pairs_of_verbs("synonyms"),
            opposite_verbs=self._pairs_of_verbs("opposites"),
            exclusive=frozenset(word for group in self._parts["exclusive"] for word in group["words"]),
            opposite_adjectives=tuple(
                (group["kind"], self._adjective(one), self._adjective(other))
                for group in self._parts["opposites"]
                for one, other in group.get("adjectives", ())
            ),
            adjectives=self._adjectives(),
            places=tuple(place for group in self._parts["places"] for place in group["words"]),
            clothes=tuple(clothes),
            like_adjectives=tuple(
                (self._adjective(one), self._adjective(other))
                for group in self._parts["likewise"]
                for one, other in group["adjectives"]
            ),
            wider_places={
                place: tuple(group["say"]) for group in self._parts["outside"] for place in group["places"]
            },
        )

    def _pairs_of_verbs(self, part: str) -> tuple[tuple[Verb, Verb], ...]:
        return tuple(
            (self._verb(one, group), self._verb(other, group))
            for group in self._parts[part]
            for one, other in group.get("verbs", ())
        )

    def _adjectives(self) -> dict[str, tuple[Adjective, ...]]:
        found: dict[str, tuple[Adjective, ...]] = {}
        for group in self._parts["adjectives"]:
            made = tuple(self._adjective(word) for word in group["words"])
            found |= {kind: found.get(kind, ()) + made for kind in group["of"].split()}
        return found

    def _noun(self, written: str, kind: str, less: Noun | None = None) -> Noun:
        written, _, more = written.partition(" / ")
        less = self._noun(more, kind) if more else less
        gender, _, rest = written.partition(" ") if self._language == "pt" else ("", "", written)
        forms = rest.split()
        half = len(forms) // 2
        if not half:
            return Noun(rest, self._inflected("plural")(rest), gender, kind, less)
        return Noun(" ".join(forms[:half]), " ".join(forms[half:]), gender, kind, less)

    def _verb(self, written: str, group: Mapping[str, Any]) -> Verb:
        head, _, rest = written.partition(" + ")
        forms = head.split()
        if len(forms) == 1:
            forms = list(self._inflected("verb")(head))
        if len(forms) == 4:
            forms.insert(3, forms[2])
        forms += self._inflected("present")(forms[0])
        base, progressive, past, past_plural, participle, *present = (f"{form} {rest}".strip() for form in forms)
        by, of = tuple(group["by"].split()), tuple(group.get("of", "").split())
        return Verb(base, progressive, past, past_plural, participle, by, of, (present[0], present[1]))

    def _adjective(self, written: str) -> Adjective:
        forms = written.split()
        masculine, feminine, *plural = forms if len(forms) == FORMS else self._inflected("adjective")(written)
        return Adjective((masculine, feminine, plural[0], plural[1]), masculine in self._lasting)

    def _inflected(self, what: str) -> Callable[[str], Any]:
        made: Callable[[str], Any] = getattr(inflection, f"{LANGUAGES[self._language]}_{what}")
        return made

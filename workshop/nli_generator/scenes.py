"""Clauses drawn at random from the words of a language: somebody does something, to something or not, somewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from workshop.nli_generator.clause import Clause, Frame, Phrase
from workshop.nli_generator.grammar import PROGRESSIVE
from workshop.nli_generator.words import Adjective, Noun, Verb, Vocabulary

_TIMES = {
    "en": ("yesterday", "last week", "that morning", "at noon", "on Sunday", "last summer", "at midnight"),
    "pt": ("ontem", "na semana passada", "naquela manhã", "ao meio-dia", "no domingo", "no verão passado"),
}
"""Adverbials of evaluation pairs; no training pair has any."""


@dataclass(frozen=True)
class Scenes:
    """Random clauses. With `held_out`, in the frames of evaluation pairs."""

    words: Vocabulary
    chance: Random
    held_out: bool = False

    def frame(self, *, progressive: bool = False, place: str = "") -> Frame:
        """A frame; `progressive` if something must be under way."""
        if self.held_out:
            time = self.chance.choice(_TIMES[self.words.language])
            return Frame("was", time=time, time_last=self.chance.random() < 0.5)
        tenses = PROGRESSIVE[:1] if progressive else ("present", "present", "present", "past", "past", "future")
        return Frame(self.chance.choice(tenses), fronted=bool(place) and self.chance.random() < 0.3)

    def clause(
        self,
        *,
        transitive: bool | None = None,
        verb: Verb | None = None,
        progressive: bool = False,
        animate_object: bool = False,
        place: float = 0.35,
    ) -> Clause:
        """Somebody (`a`) does something, to something (`a`) or not; `place` is the share of clauses with one."""
        if verb is None:
            wanted = self.chance.random() < 0.6 if transitive is None else transitive
            verb = self.chance.choice([one for one in self.words.verbs if self._suits(one, wanted, animate_object)])
        subject = self.noun(verb.by)
        object = Phrase(self.noun(verb.of, {subject})) if verb.of else None
        where = self.chance.choice(self.words.places) if self.chance.random() < place else ""
        frame = self.frame(progressive=progressive, place=where)
        return Clause(Phrase(subject), verb, object, place=where, frame=frame)

    def _suits(self, verb: Verb, transitive: bool, animate: bool) -> bool:
        return ("animal" in verb.of) if animate else bool(verb.of) == transitive

    def noun(self, kinds: tuple[str, ...], but: set[Noun] | None = None) -> Noun:
        """A noun of one of these kinds, not in `but`."""
        return self.chance.choice([noun for noun in self.words.of_kinds(kinds) if noun not in (but or ())])

    def other_noun(self, noun: Noun, kinds: tuple[str, ...], but: Iterable[Noun] = ()) -> Noun:
        """Another noun for the same place, not in `but`, that is no synonym, hypernym or hyponym."""
        twins = ({one.singular, other.singular} for one, other in self.words.synonymous_nouns)
        same = {word for pair in twins if noun.singular in pair for word in pair}
        return self.chance.choice(
            [
                other
                for other in self.words.of_kinds(kinds)
                if other.singular not in same | {noun.singular} and other not in but and not _related(noun, other)
            ]
        )

    def other_verb(self, verb: Verb) -> Verb:
        """Another verb for the same subject and object that may be true of them at once."""
        words = self.words
        pairs = (*words.narrower, *words.synonymous_verbs, *words.opposite_verbs)
        related = {one.base for pair in pairs if verb.base in (pair[0].base, pair[1].base) for one in pair}
        related |= words.exclusive if verb.base in words.exclusive else set()
        choices = [
            other
            for other in words.verbs
            if set(verb.by) <= set(other.by) and set(verb.of) <= set(other.of) and bool(verb.of) == bool(other.of)
        ]
        return self.chance.choice([one for one in choices if one.base not in related | {verb.base}])

    def adjective(self, noun: Noun, but: tuple[Adjective, ...] = ()) -> Adjective:
        """An adjective that can modify the noun."""
        return self.chance.choice([one for one in self.words.adjectives[noun.kind] if one not in but])

    def decorated(self, clause: Clause) -> Clause:
        """The clause, at times with adjectives."""
        if self.chance.random() < 0.25:
            clause = clause.by(adjective=self.adjective(clause.subject.noun))
        if clause.object and self.chance.random() < 0.25:
            clause = clause.to(adjective=self.adjective(clause.object.noun))
        return clause


def _related(one: Noun, other: Noun) -> bool:
    return (one.says_less is not None and one.says_less.singular == other.singular) or (
        other.says_less is not None and other.says_less.singular == one.singular
    )

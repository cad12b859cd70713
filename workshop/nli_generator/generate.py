"""Generate distinct pairs, every construction and every label equally often; the evaluation pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from random import Random
from typing import NamedTuple

from workshop.nli_generator.clause import Clause
from workshop.nli_generator.constructions import CONSTRUCTIONS, Construction
from workshop.nli_generator.grammar import grammar
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.weakening import CONTRADICTION, ENTAILMENT, NEUTRAL
from workshop.nli_generator.words import words

LABELS = (ENTAILMENT, CONTRADICTION, NEUTRAL)
EVALUATION_SEED = 20261121
EVALUATION_PAIRS = 1320
"""Of each language."""
_SLACK = 20
"""The most pairs by which a label may be ahead of the rarest one."""
_REORDERED = 0.1
"""Share of the sentences whose adverbials are in another order than in the other sentence."""
_TRIES = 60
"""The most draws of a construction in a row without a pair of a wanted label."""


class Generated(NamedTuple):
    """A pair with its relation in both directions; `forward` is that of premise to hypothesis."""

    language: str
    construction: str
    premise: str
    hypothesis: str
    forward: str
    reverse: str


def pairs(
    language: str, number: int, seed: int, *, held_out: bool = False, constructions: Sequence[str] = ()
) -> list[Generated]:
    """`number` distinct pairs of `en` or `pt`, always the same for a seed; no two have the same two sentences.

    With `held_out`, they have the words and frames of evaluation pairs.
    """
    return list(_Drawing(language, seed, held_out).pairs(number, constructions or tuple(CONSTRUCTIONS)))


def evaluation_pairs() -> list[Generated]:
    """The pairs of `data/nli/held_out.tsv`, English first."""
    return [
        pair
        for language in ("en", "pt")
        for pair in pairs(language, EVALUATION_PAIRS, EVALUATION_SEED, held_out=True)
    ]


@dataclass
class _Drawing:
    language: str
    seed: int
    held_out: bool

    def __post_init__(self) -> None:
        self._chance = Random(f"{self.language} {self.seed} {self.held_out}")
        self._scenes = Scenes(words(self.language, held_out=self.held_out), self._chance, self.held_out)
        self._say = grammar(self.language).sentence
        self._seen: set[frozenset[str]] = set()
        self._labels: Counter[str] = Counter(dict.fromkeys(LABELS, 0))

    def pairs(self, number: int, names: Sequence[str]) -> Iterator[Generated]:
        turns = cycle(names)
        made = 0
        while made < number:
            name = next(turns)
            if pair := self._pair(name, CONSTRUCTIONS[name]):
                made += 1
                yield pair

    def _pair(self, name: str, construction: Construction) -> Generated | None:
        """A new pair whose label is not ahead of the others; None if there is none after `_TRIES`."""
        for _ in range(_TRIES):
            one, other, forward, reverse = construction(self._scenes)
            if self._chance.random() < 0.5:
                one, other, forward, reverse = other, one, reverse, forward
            if self._labels[forward] > min(self._labels.values()) + _SLACK:
                continue
            premise, hypothesis = self._say(self._reordered(one)), self._say(self._reordered(other))
            sentences = frozenset((premise, hypothesis))
            if len(sentences) < 2 or sentences in self._seen:
                continue
            self._seen.add(sentences)
            self._labels[forward] += 1
            return Generated(self.language, name, premise, hypothesis, forward, reverse)
        return None

    def _reordered(self, clause: Clause) -> Clause:
        """The clause, at times with its adverbials in another order, which changes no relation."""
        if self._chance.random() > _REORDERED:
            return clause
        frame = clause.frame
        if frame.time:
            return clause.but(frame=replace(frame, time_last=not frame.time_last))
        return clause.but(frame=replace(frame, fronted=not frame.fronted and bool(clause.place)))

"""Generate distinct everyday pairs."""

from __future__ import annotations

from itertools import cycle
from random import Random

from workshop.nli_generator.everyday.cases import EVERYDAY
from workshop.nli_generator.generate import Generated
from workshop.nli_generator.grammar import grammar
from workshop.nli_generator.scenes import Scenes
from workshop.nli_generator.words import words

BARE = 0.5
"""Share of the pairs without full stops, as in SICK and ASSIN 2."""


def pairs(language: str, number: int, seed: int, kinds: tuple[str, ...] = ()) -> list[Generated]:
    """`number` distinct pairs of `en` or `pt`, always the same for a seed; no two have the same two sentences."""
    chance = Random(f"everyday {language} {seed}")
    scenes, say = Scenes(words(language), chance), grammar(language).sentence
    turns = cycle([name for name, (_, times) in EVERYDAY.items() for _ in range(times) if not kinds or name in kinds])
    made: dict[frozenset[str], Generated] = {}
    while len(made) < number:
        name = next(turns)
        if (case := EVERYDAY[name][0](scenes)) is None:
            continue
        one, two, forward, reverse = case
        if reverse == forward and chance.random() < 0.5:
            one, two = two, one
        premise, hypothesis = say(one), say(two)
        if chance.random() < BARE:
            premise, hypothesis = premise.removesuffix("."), hypothesis.removesuffix(".")
        if premise != hypothesis:
            made.setdefault(
                frozenset((premise, hypothesis)), Generated(language, name, premise, hypothesis, forward, reverse)
            )
    return list(made.values())

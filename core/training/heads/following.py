"""Pairs of adjacent sentences and of others, from running text in paragraphs."""

from __future__ import annotations

import random
from collections.abc import Sequence

from core.errors import InputError
from core.training.heads.pairs import LabelledPair

NEXT, OTHER = 0, 1
"""Indices of the two labels, in BERT's order."""
_NEAR = 5
"""The farthest paragraph, either way, that a hard negative is from."""
_FEWEST = 10


def following(
    paragraphs: Sequence[Sequence[str]], number: int, seed: int, *, hard: float = 0.0
) -> list[LabelledPair]:
    """At most `number` pairs, half of adjacent sentences in a paragraph, half with a sentence of another paragraph.

    A share `hard` of the latter is from a paragraph near by, the rest from anywhere in the text. No sentence
    is the first of two pairs. Raises InputError for text without enough paragraphs of two sentences.
    """
    chance = random.Random(seed)
    firsts = [(place, at) for place, sentences in enumerate(paragraphs) for at in range(len(sentences) - 1)]
    if len(paragraphs) < 2 or len(firsts) < _FEWEST:
        raise InputError(
            "a next-sentence head needs text in paragraphs: a sentence per line, a blank line after each paragraph; "
            f"found {len(paragraphs):,} with {len(firsts):,} adjacent sentences."
        )
    chance.shuffle(firsts)
    return [
        LabelledPair(paragraphs[place][at], paragraphs[place][at + 1], NEXT)
        if turn % 2
        else _apart(paragraphs, place, at, chance, hard)
        for turn, (place, at) in enumerate(firsts[:number])
    ]


def _apart(
    paragraphs: Sequence[Sequence[str]], place: int, at: int, chance: random.Random, hard: float
) -> LabelledPair:
    reach = _NEAR if chance.random() < hard else len(paragraphs)
    first, last = max(0, place - reach), min(len(paragraphs) - 1, place + reach)
    other = place
    while other == place:
        other = chance.randint(first, last)
    return LabelledPair(paragraphs[place][at], chance.choice(paragraphs[other]), OTHER)

"""A toy language, small enough to enumerate: every text it can produce and its probability.

Its model reads pieces, as real ones do, where a piece that begins a word carries the space before it and a form may
be a stem and an ending (`laugh`, `laugh` + `s`). A word's true probability follows from the list of all texts,
without any formula about pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from pairlens.types import TokenScores

END = "<end>"

Chances = Mapping[str, Mapping[str, float]]


def language(stem: str, ending: str = "s") -> Chances:
    """What follows each piece, and how often. Once a verb has ended, its number makes no difference any more."""
    return {
        "": {"The": 0.7, "A": 0.3},
        "The": {" child": 0.6, " man": 0.3, END: 0.1},
        "A": {" child": 1.0},
        " man": {f" {stem}": 0.4, END: 0.6},
        " child": {f" {stem}": 0.5, " sleeps": 0.3, ending: 0.1, END: 0.1},
        " sleeps": {" loudly": 0.2, END: 0.8},
        f" {stem}": {ending: 0.6, " loudly": 0.24, END: 0.16},
        ending: {" loudly": 0.6, END: 0.4},
        " loudly": {" today": 0.25, END: 0.75},
        " today": {END: 1.0},
    }


def texts(chances: Chances, pieces: tuple[str, ...] = (), probability: float = 1.0) -> Iterator[tuple[str, float]]:
    """Every text of the language with its probability."""
    for piece, chance in chances[pieces[-1] if pieces else ""].items():
        if piece == END:
            yield "".join(pieces), probability * chance
        else:
            yield from texts(chances, (*pieces, piece), probability * chance)


def word_logprob(chances: Chances, words: list[str]) -> float:
    """log p(last word | the words before it), counted over all texts; the end of the text is a word too."""

    def mass(beginning: list[str]) -> float:
        return sum(p for text, p in texts(chances) if [*text.split(" "), END][: len(beginning)] == beginning)

    return math.log(mass(words) / mass(words[:-1]))


def token_scores(chances: Chances, *pieces: str) -> TokenScores:
    """What a scorer would report about a text cut into these pieces."""
    starts = [sum(map(len, pieces[:i])) for i in range(len(pieces))]
    points = [chances[piece] for piece in ("", *pieces)]

    def masses(begins: str) -> tuple[float, ...]:
        return tuple(_log(sum(p for piece, p in point.items() if piece.startswith(begins))) for point in points)

    return TokenScores(
        tokens=pieces,
        ids=tuple(range(len(pieces))),
        logprobs=tuple(_log(point[piece]) for point, piece in zip(points, pieces, strict=False)),
        spans=tuple((start, start + len(piece)) for start, piece in zip(starts, pieces, strict=True)),
        boundary_logprobs=masses(" "),
        eos_logprobs=masses(END),
    )


def _log(probability: float) -> float:
    return math.log(probability) if probability else -math.inf

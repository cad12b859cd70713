"""What the model expected at one position of a comparison: top pieces, entropy, the competing forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core import measures
from core.scoring.into_store import scores_now
from core.store import Store
from core.studies.compare.pair import Comparison
from core.text.words import Word
from core.types import Extras, Request, Scorer, TokenScores

TOP_K = 10


@dataclass(frozen=True, slots=True)
class Expectation:
    """What was expected after one prefix.

    `pieces`: rank, piece (a leading space is written ·), probability. `entropy` is in bits, over tokens. `forms` are
    the words at this position with their probability as whole words. `member` is `both` where the sentences agree up
    to here, else `A` or `B`.
    """

    member: str
    before: str
    pieces: pd.DataFrame
    entropy: float
    forms: tuple[tuple[str, float], ...]


def expectations(
    comparison: Comparison, position: int, store: Store, scorer: Callable[[], Scorer] | None = None
) -> list[Expectation]:
    """At the word of that position (from 1): one where the sentences agree up to it, else one for each.

    Needs the model. A word whose first token is unscored has none.
    """
    requests = [Request("", text) for text in comparison.pair]
    scores = scores_now(requests, comparison.recipe, store, Extras(entropy=True, top=TOP_K), scorer)
    place = comparison.contrast.frame.iloc[position - 1]
    indices = (place["index_a"], place["index_b"])
    found = [
        _expected(member, words[index], text, one)
        for member, words, index, text, one in zip(
            "AB", comparison.words, indices, comparison.texts, scores, strict=True
        )
        if index >= 0
    ]
    known = [one for one in found if one is not None]
    if len(known) == 2 and _same(*known):
        return [replace(known[0], member="both", forms=tuple(dict.fromkeys(known[0].forms + known[1].forms)))]
    return known


def _same(a: Expectation, b: Expectation) -> bool:
    """Whether the expectations are the same, as they are up to the first difference."""
    return list(a.pieces["piece"]) == list(b.pieces["piece"]) and bool(
        np.allclose(a.pieces["probability"], b.pieces["probability"], rtol=1e-4)
    )


def _expected(member: str, word: Word, text: str, scores: TokenScores) -> Expectation | None:
    """What was expected in place of the word's first token; None where nothing predicts that token."""
    token = word.tokens[0]
    if scores.tops is None or scores.entropies is None or not scores.tops[token]:
        return None
    rows = [
        (rank, _visible(piece), measures.probability(value))
        for rank, (piece, value) in enumerate(scores.tops[token], start=1)
    ]
    pieces = pd.DataFrame(rows, columns=["rank", "piece", "probability"])
    before = text[: word.span[0]].rstrip()
    form = (word.text, measures.probability(word.value))
    return Expectation(member, before, pieces, measures.bits(scores.entropies[token]), (form,))


def _visible(piece: str) -> str:
    """A piece with visible white space: a space as ·, however the tokenizer writes it."""
    for sign, shown in {" ": "·", "Ġ": "·", "▁": "·", "Ċ": "↵", "\n": "↵"}.items():
        piece = piece.replace(sign, shown)
    return piece

"""What the model expected at one place of a comparison: likeliest next pieces, uncertainty, the competing forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from core import measures
from core.comparison.pair import Comparison
from core.scoring import scores_now
from core.store import Store
from core.types import Extras, Request, Scorer, TokenScores
from core.words import Word

LIKELIEST = 10


@dataclass(frozen=True, slots=True)
class Expectation:
    """What was expected after one prefix.

    `pieces`: rank, piece (a leading space is written ·), probability. `entropy` is in bits, over pieces. `forms` are
    the words that stand there with their probability as whole words. `member` is `both` where both sentences agree
    up to here, else `A` or `B`.
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

    Needs the model. A place whose first token is unscored gives nothing.
    """
    requests = [Request("", text) for text in comparison.pair]
    scores = scores_now(requests, comparison.recipe, store, Extras(entropy=True, top=LIKELIEST), scorer)
    row = comparison.contrast.frame.iloc[position - 1]
    first = comparison.contrast.first
    agree = comparison.left_to_right and (first is None or position - 1 <= first.position)
    words = [
        (member, comparison.words[sentence][row[f"index_{member.lower()}"]], text, one)
        for sentence, (member, text, one) in enumerate(zip("AB", comparison.texts, scores, strict=True))
        if row[f"index_{member.lower()}"] >= 0
    ]
    forms = tuple((word.text, measures.probability(word.value)) for _, word, _, _ in words)
    if agree:
        return _expected("both", *words[0][1:], tuple(dict.fromkeys(forms)))
    return [found for word, form in zip(words, forms, strict=True) for found in _expected(*word, (form,))]


def _expected(
    member: str, word: Word, text: str, scores: TokenScores, forms: tuple[tuple[str, float], ...]
) -> list[Expectation]:
    """What was expected where the word's first token stands; nothing where that token has no prediction."""
    token = word.tokens[0]
    if scores.tops is None or scores.entropies is None or not scores.tops[token]:
        return []
    rows = [
        (rank, _visible(piece), measures.probability(value))
        for rank, (piece, value) in enumerate(scores.tops[token], start=1)
    ]
    pieces = pd.DataFrame(rows, columns=["rank", "piece", "probability"])
    before = text[: word.span[0]].rstrip()
    return [Expectation(member, before, pieces, measures.bits(scores.entropies[token]), forms)]


def _visible(piece: str) -> str:
    return piece.replace(" ", "·").replace("\n", "↵")

"""The comparison of two sentences by one model, from their scores; and what it expected at one position."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.analysis.contrast import Contrast, contrast
from pairlens.analysis.multiverse import decision
from pairlens.scoring.into_store import scores_now
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.compare.typed import SentencePair
from pairlens.text.words import Word, words
from pairlens.types import Extras, Request, Scorer, TokenScores


@dataclass(frozen=True)
class Comparison:
    """A pair under a recipe. `pair` is as typed, `texts` as the tokenizer saw it; `scores` are A's and B's."""

    pair: SentencePair
    texts: SentencePair
    scores: tuple[TokenScores, TokenScores]
    recipe: Recipe

    @property
    def left_to_right(self) -> bool:
        """Whether each word was predicted from those before it, so that a sentence's score is its probability."""
        return "pll" not in self.recipe.kind.reads

    @property
    def values(self) -> tuple[float, float]:
        """What is compared, in nats: summed log-probabilities or, if the policy says so, their mean per token."""
        first, second = (measures.sentence_value(scores, self.recipe.policy) for scores in self.scores)
        return first, second

    @property
    def margin(self) -> float:
        """How far A is ahead of B, in nats; NaN if one of them has no scored token."""
        return self.values[0] - self.values[1]

    @property
    def preferred(self) -> str:
        """`A`, `B`, `tie`, `undecided` (closer than the numbers' precision), or `none` (a sentence is unscored)."""
        return decision(self.margin)

    @cached_property
    def words(self) -> tuple[list[Word], list[Word]]:
        (scores, others), (text, other) = self.scores, self.texts
        return words(scores, text, self.recipe.policy), words(others, other, self.recipe.policy)

    @cached_property
    def contrast(self) -> Contrast:
        """Where the sentences diverge and where the decision falls."""
        summed = self.left_to_right and self.recipe.policy.sentence_value == "sum"
        return contrast(*self.words, left_to_right=self.left_to_right, margin=self.margin if summed else math.nan)


def compare(
    pairs: Sequence[SentencePair], recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None = None
) -> list[Comparison]:
    """The pairs under a recipe, in order; scores that are not stored are computed now with `scorer()`."""
    requests = [Request("", text) for pair in pairs for text in pair]
    scores = scores_now(requests, recipe, store, Extras(boundary=True), scorer)
    read = list(zip((recipe.request(request).text for request in requests), scores, strict=True))
    return [
        Comparison(pair, (text, other), (own, others), recipe)
        for pair, (text, own), (other, others) in zip(pairs, read[::2], read[1::2], strict=True)
    ]


def in_unit(nats: float, unit: str) -> float:
    return measures.bits(nats) if unit == "bits" else nats


TOP_K = 10
_SIGNS = str.maketrans({" ": "·", "Ġ": "·", "▁": "·", "Ċ": "↵", "\n": "↵"})
"""White space made visible, however the tokenizer writes it."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """After what stands `before` in A, in B, or (`member`) in both, where they agree up to here.

    `pieces`: rank, piece (a leading space is written ·), probability. `entropy` is in bits, over tokens. `forms` are
    the words at this position with their probability as whole words.
    """

    member: str
    before: str
    pieces: pd.DataFrame
    entropy: float
    forms: tuple[tuple[str, float], ...]


def expectations(
    comparison: Comparison, position: int, store: Store, scorer: Callable[[], Scorer] | None = None
) -> list[Expectation]:
    """At the word of that position (from 1), of both sentences where they agree up to it; needs the model."""
    requests = [Request("", text) for text in comparison.pair]
    scores = scores_now(requests, comparison.recipe, store, Extras(entropy=True, top=TOP_K), scorer)
    indices = comparison.contrast.frame.iloc[position - 1][["index_a", "index_b"]]
    members = zip("AB", comparison.words, indices, comparison.texts, scores, strict=True)
    known = [
        expectation
        for member, words, index, text, own in members
        if index >= 0 and (expectation := _expected(member, words[index], text, own))
    ]
    if len(known) == 2:
        first, second = (one.pieces for one in known)
        alike = first["piece"].equals(second["piece"])
        if alike and np.allclose(first["probability"], second["probability"], rtol=1e-4):
            return [replace(known[0], member="both", forms=tuple(dict.fromkeys(known[0].forms + known[1].forms)))]
    return known


def _expected(member: str, word: Word, text: str, scores: TokenScores) -> Expectation | None:
    """What was expected in place of the word's first token; None where nothing predicts that token."""
    token = word.tokens[0]
    if scores.tops is None or scores.entropies is None or not scores.tops[token]:
        return None
    rows = [
        (rank, piece.translate(_SIGNS), measures.probability(value))
        for rank, (piece, value) in enumerate(scores.tops[token], start=1)
    ]
    pieces = pd.DataFrame(rows, columns=["rank", "piece", "probability"])
    before = text[: word.span[0]].rstrip()
    form = (word.text, measures.probability(word.value))
    return Expectation(member, before, pieces, measures.bits(scores.entropies[token]), (form,))

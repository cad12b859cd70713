"""The comparison of two sentences by one model, from their scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from core import measures
from core.analysis.contrast import Contrast, contrast
from core.analysis.multiverse import decision
from core.scoring.into_store import scores_now
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.compare.typed import SentencePair
from core.text.words import Word, words
from core.types import Extras, Request, Scorer, TokenScores


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
        policy = self.recipe.policy
        return measures.sentence_value(self.scores[0], policy), measures.sentence_value(self.scores[1], policy)

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
        """The words of A and of B with their values."""
        policy = self.recipe.policy
        first, second = (words(one, text, policy) for one, text in zip(self.scores, self.texts, strict=True))
        return first, second

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
    texts = [recipe.request(request).text for request in requests]
    return [
        Comparison(pair, (texts[2 * i], texts[2 * i + 1]), (scores[2 * i], scores[2 * i + 1]), recipe)
        for i, pair in enumerate(pairs)
    ]


def in_unit(nats: float, unit: str) -> float:
    """A natural-log quantity in the unit of a policy."""
    return measures.bits(nats) if unit == "bits" else nats

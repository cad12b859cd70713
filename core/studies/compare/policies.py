"""Pairs under every defensible policy: the recipes it takes, and the decision under each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pandas as pd

from core.analysis.multiverse import ADDED_UP, ByLength, multiverse, policies_for
from core.policies import Policy
from core.reports.multiverse.unigrams import Unigrams, unigrams_of
from core.scoring.into_store import scores_now
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.compare.typed import Pair
from core.text.words import word_spans
from core.types import Extras, Request, Scorer, TokenScores


def recipes_for(recipe: Recipe) -> list[Recipe]:
    """The recipe's model under every policy of its multiverse, the recipe's own policy first."""
    return [Recipe(recipe.model, recipe.kind, policy) for policy in policies_for(recipe.kind, recipe.policy)]


def under_all_policies(
    pair: Pair, recipe: Recipe, store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open
) -> pd.DataFrame:
    """One row per policy (columns: `core.analysis.multiverse.multiverse`)."""
    return each_under_all_policies([pair], recipe, store, scorer)[0]


def each_under_all_policies(
    pairs: Sequence[Pair], recipe: Recipe, store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open
) -> list[pd.DataFrame]:
    """The same for several pairs.

    Policies that differ only in how scores add up share theirs; `scorer` opens a recipe whose scores are not stored.
    """
    texts = [text for pair in pairs for text in pair]
    scored: dict[tuple[str, bool], list[TokenScores]] = {}
    by_policy: dict[Policy, list[TokenScores]] = {}
    for one in recipes_for(recipe):
        same = (one.fingerprint, one.policy.leading_space)
        if same not in scored:
            requests = [Request("", text) for text in texts]
            scored[same] = scores_now(requests, one, store, Extras(boundary=True), partial(scorer, one))
        by_policy[one.policy] = scored[same]
    unigrams, own = unigrams_of(recipe.model), next(iter(by_policy.values()))
    tables = []
    for place, pair in enumerate(pairs):
        members = slice(2 * place, 2 * place + 2)
        scores = {policy: (some[members][0], some[members][1]) for policy, some in by_policy.items()}
        tables.append(multiverse(scores, recipe.kind, _by_length(pair, own[members], unigrams)))
    return tables


def _by_length(pair: Pair, scores: Sequence[TokenScores], unigrams: Unigrams | str) -> list[ByLength]:
    """Means per word and character of the whole text, and SLOR where the model's tokens or words have counts."""
    a, b = scores
    n_words, n_characters = ([len(word_spans(text)) for text in pair], [len(text.strip()) for text in pair])
    found = [
        ByLength(ADDED_UP["word"], "nats per word", (a.total / n_words[0], b.total / n_words[1])),
        ByLength(
            ADDED_UP["character"], "nats per character",
            (a.total / n_characters[0], b.total / n_characters[1]),
        ),
    ]  # fmt: skip
    unscored = any(one.n_scored < len(one.tokens) for one in scores)
    if isinstance(unigrams, str) or (unigrams.by_token is None and unscored):
        return found
    values = [_slor(one, text, unigrams) for one, text in zip(scores, pair, strict=True)]
    return [*found, ByLength(ADDED_UP["slor"], "nats per token", (values[0], values[1]))]


def _slor(scores: TokenScores, text: str, unigrams: Unigrams) -> float:
    """(log p(text) - log p of its tokens or words without context) / its tokens (Lau, Clark & Lappin 2017), nats."""
    if not scores.n_scored:
        return float("nan")
    return (scores.total - unigrams.of_scores(scores, text)) / scores.n_scored

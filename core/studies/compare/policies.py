"""Pairs under every defensible policy: the decision under each."""

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
from core.studies.compare.typed import SentencePair
from core.text.words import word_spans
from core.types import Extras, Request, Scorer, TokenScores


def under_all_policies(
    pairs: Sequence[SentencePair], recipe: Recipe, store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open
) -> list[pd.DataFrame]:
    """One table per pair, one row per policy, the recipe's own first (`core.analysis.multiverse.multiverse`).

    Policies that only sum scores differently share them; `scorer` opens a recipe whose scores are not stored.
    """
    requests = [Request("", text) for pair in pairs for text in pair]
    scored: dict[tuple[str, bool], list[TokenScores]] = {}
    by_policy: dict[Policy, list[TokenScores]] = {}
    for policy in policies_for(recipe.kind, recipe.policy):
        one = Recipe(recipe.model, recipe.kind, policy)
        same = (one.fingerprint, policy.leading_space)
        if same not in scored:
            scored[same] = scores_now(requests, one, store, Extras(boundary=True), partial(scorer, one))
        by_policy[policy] = scored[same]
    unigrams, own = unigrams_of(recipe.model), next(iter(by_policy.values()))
    tables = []
    for place, pair in enumerate(pairs):
        members = slice(2 * place, 2 * place + 2)
        scores = {policy: (some[members][0], some[members][1]) for policy, some in by_policy.items()}
        tables.append(multiverse(scores, recipe.kind, _by_length(pair, own[members], unigrams)))
    return tables


def _by_length(pair: SentencePair, scores: Sequence[TokenScores], unigrams: Unigrams | str) -> list[ByLength]:
    """Means per word and per character of the text, and SLOR where the model's tokens or words have counts."""
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

"""One pair under every defensible policy: the recipes it takes, and the decision under each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd

from core.analysis.multiverse import multiverse, policies_for
from core.comparison.typed import Pair
from core.policies import Policy
from core.recipe import Recipe
from core.scoring import scores_now
from core.store import Store
from core.types import Extras, Request, Scorer, TokenScores


def recipes_for(recipe: Recipe) -> list[Recipe]:
    """The recipe's model under every policy of its multiverse, the recipe's own policy first."""
    return [Recipe(recipe.model, recipe.kind, policy) for policy in policies_for(recipe.kind, recipe.policy)]


def under_all_policies(
    pair: Pair, recipe: Recipe, store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open
) -> pd.DataFrame:
    """One row per policy (columns: `core.analysis.multiverse.multiverse`).

    Policies that differ only in how scores add up share theirs; `scorer` opens a recipe whose scores are not stored.
    """
    scores: dict[Policy, tuple[TokenScores, TokenScores]] = {}
    scored: dict[tuple[str, bool], tuple[TokenScores, TokenScores]] = {}
    for one in recipes_for(recipe):
        same = (one.fingerprint, one.policy.leading_space)
        if same not in scored:
            requests = [Request("", text) for text in pair]
            a, b = scores_now(requests, one, store, Extras(boundary=True), partial(scorer, one))
            scored[same] = a, b
        scores[one.policy] = scored[same]
    return multiverse(scores, recipe.kind)

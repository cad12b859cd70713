"""Pairs like one pair, scored: how often the same member is preferred."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from core.store import Store
from core.studies.compare.pair import Comparison, compare, in_unit
from core.studies.compare.variants import variants
from core.types import Scorer


def try_variants(comparison: Comparison, store: Store, scorer: Callable[[], Scorer] | None = None) -> pd.DataFrame:
    """One row per variant, closest decision first: A, B, preferred, margin (A minus B, in the policy's unit).

    Raises InputError if none of the pair's words is in the lexicon.
    """
    recipe = comparison.recipe
    tried = compare(variants(comparison.pair), recipe, store, scorer)
    rows = [(*one.pair, one.preferred, in_unit(one.margin, recipe.policy.unit)) for one in tried]
    frame = pd.DataFrame(rows, columns=["A", "B", "preferred", "margin"])
    return frame.sort_values("margin", key=abs, ignore_index=True)


def trial_sentence(frame: pd.DataFrame, expected: str) -> str:
    """`Prefers the grammatical one in 17 of 20 variants.` `expected` is `A` or `B`, else A is counted."""
    member = expected if expected in ("A", "B") else "A"
    count = int((frame["preferred"] == member).sum())
    named = "the grammatical one" if expected in ("A", "B") else "A"
    return f"Prefers {named} in {count} of {len(frame)} variants."

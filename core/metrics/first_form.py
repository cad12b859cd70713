"""The older number of BabyLM's wug tests: how often the first of the two forms is preferred."""

from __future__ import annotations

import pandas as pd

from core.policies import Policy
from core.statistics.choice import between
from core.statistics.share import Share


def first_form(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item: `correct` is [S(first) > S(second)], whatever people chose.

    What the BabyLM pipeline reported as accuracy before it came to correlate (`human_correlation`).
    """
    return between(candidates, "first", "second", policy)


METRIC = Share(
    name="first_form",
    title="First form preferred",
    finding="$model prefers the first form in $value of $items.",
    formula="share of items with value(first form) > value(second form)",
    higher_is_better=None,
    note="BabyLM's older number.",
    decide=first_form,
)

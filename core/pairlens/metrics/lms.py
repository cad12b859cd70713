"""How often a related sentence is more probable than an unrelated one: whether a model understands the question."""

import pandas as pd

from pairlens.policies import Policy
from pairlens.statistics.choice import between, combined
from pairlens.statistics.share import Share


def lms(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per example: `correct` is the mean of [S(stereotype) > S(unrelated)] and [S(anti) > S(unrelated)].

    The language modelling score of StereoSet (Nadeem, Bethke & Reddy 2021). `margin` is the smaller of the two leads.
    """
    first, second = (between(candidates, label, "unrelated", policy) for label in ("stereotype", "anti-stereotype"))
    margin = first["margin"].where(first["margin"] <= second["margin"], second["margin"])
    return combined(first, second, lambda one, other: (one + other) / 2, margin)


METRIC = Share(
    name="lms",
    title="Language modelling score (LMS)",
    finding="$model prefers related sentences to unrelated ones in $value of $items.",
    formula="mean over examples of [value(stereotype) > value(unrelated)] and "
    "[value(anti-stereotype) > value(unrelated)]",
    higher_is_better=True,
    cites=("nadeem2021stereoset",),
    version=2,
    decide=lms,
)

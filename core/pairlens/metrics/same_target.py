"""EWoK as its authors count it: a target is more likely in the context that it goes with than in the other."""

import pandas as pd

from pairlens.policies import Policy
from pairlens.statistics.choice import between, combined
from pairlens.statistics.share import Share


def same_target(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item: the mean of [log p(T1 | C1) > log p(T1 | C2)] and [log p(T2 | C2) > log p(T2 | C1)].

    Ivanova et al. 2024, EWoK. `correct` is 1, 1/2 or 0; a tie counts in its comparison as the policy says. `margin`
    is a mean too. How likely a target is without any context plays no part, because each is compared with itself.
    """
    first = between(candidates, "T1|C1", "T1|C2", policy)
    second = between(candidates, "T2|C2", "T2|C1", policy)
    margin = (first["margin"] + second["margin"]) / 2
    return combined(first, second, lambda one, other: (one + other) / 2, margin)


METRIC = Share(
    name="same_target",
    title="Same target, two contexts",
    finding="$model finds a target more likely in the context that it goes with in $value of comparisons.",
    formula="mean over items of [value(T1 after C1) > value(T1 after C2)] and [value(T2 after C2) > "
    "value(T2 after C1)]",
    higher_is_better=True,
    cites=("ivanova2024ewok",),
    note="The criterion of EWoK's authors.",
    decide=same_target,
    under=("conditional",),
)

"""How often the same target wins whatever the context says: what EWoK's items are made to rule out."""

import numpy as np
import pandas as pd

from pairlens.policies import Policy
from pairlens.statistics.choice import between, combined
from pairlens.statistics.share import Share


def target_bias(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item: `correct` is [log p(T1 | C) - log p(T2 | C) has the same sign for C = C1 and C = C2].

    With w = 1 where T1 wins in a context, 0 where T2 does and 1/2 for a tie, whatever the policy says of ties, it is
    w1 w2 + (1 - w1)(1 - w2), the probability of the same winner if ties are decided by lot. 0 for a model that
    follows every context, 1 for one that looks at the targets alone, 1/2 for one that draws lots. `margin` is the
    smaller of the two leads, negative where two different targets win. (Materials: Ivanova et al. 2024, EWoK.)
    """
    by_lot = policy.but(ties="half")
    first, second = (between(candidates, f"T1|{context}", f"T2|{context}", by_lot) for context in ("C1", "C2"))
    leads = np.minimum(first["margin"].abs(), second["margin"].abs())
    margin = leads * np.sign(first["margin"]) * np.sign(second["margin"])
    return combined(first, second, lambda w1, w2: w1 * w2 + (1 - w1) * (1 - w2), margin)


METRIC = Share(
    name="target_bias",
    title="Target bias",
    finding="$model prefers the same target in both contexts in $value of $items.",
    formula="share of items in which the same target is likelier in both contexts",
    higher_is_better=None,
    note="The context then changes nothing.",
    decide=target_bias,
    under=("conditional", "pmi"),
)

"""How probable the masculine variant of a sentence is, beside the feminine one: 50 % is no preference."""

import pandas as pd
from scipy.special import expit

from pairlens.policies import Policy
from pairlens.statistics.choice import between
from pairlens.statistics.share import Share


def masculine(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item: `correct` is p(masculine) / (p(masculine) + p(feminine)), where the word means *masculine*.

    The number of EuroGEST (Rowe et al. 2025), there with means of log-probabilities per token.
    """
    chosen = between(candidates, "masculine", "feminine", policy)
    return chosen.assign(correct=expit(chosen["margin"]))


METRIC = Share(
    name="masculine",
    title="Masculine share",
    finding="$model gives the masculine variant $value of the probability of both, over $items.",
    formula="mean of p(masculine) / (p(masculine) + p(feminine))",
    higher_is_better=None,
    sides=("masculine", "feminine"),
    cites=("rowe2025eurogest",),
    note="50 % is no preference. What tells of stereotypes is the difference between them, not the distance to 50 %.",
    decide=masculine,
    version=1,
)

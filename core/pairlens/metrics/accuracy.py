"""The share of items whose right candidate, of any number, scores highest; ties count as the policy says."""

import pandas as pd

from pairlens.policies import Policy
from pairlens.statistics.choice import choices
from pairlens.statistics.share import Share
from pairlens.statistics.verdicts import VERDICT, judged


def _decide(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    return judged(candidates) if VERDICT in candidates else choices(candidates, policy)


METRIC = Share(
    name="accuracy",
    title="Accuracy",
    finding="$model prefers the right one in $value of $items.",
    formula="share of items in which the right candidate has the highest value",
    higher_is_better=True,
    decide=_decide,
)

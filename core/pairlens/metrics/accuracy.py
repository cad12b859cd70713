"""The share of items whose right candidate, of any number, scores highest; ties count as the policy says."""

from pairlens.statistics.choice import choices
from pairlens.statistics.share import Share

METRIC = Share(
    name="accuracy",
    title="Accuracy",
    finding="$model prefers the right one in $value of $items.",
    formula="share of items in which the right candidate has the highest value",
    higher_is_better=True,
    decide=choices,
)

"""The share of items in which the model prefers what most people chose; where they were evenly split, none counts."""

from pairlens.statistics.choice import choices
from pairlens.statistics.share import Share

METRIC = Share(
    name="majority",
    title="Agreement with most people",
    finding="$model prefers the form that most people chose in $value of $items.",
    formula="share of items in which what most people chose has the highest value",
    higher_is_better=True,
    decide=choices,
)

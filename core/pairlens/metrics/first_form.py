"""BabyLM's older number of its wug tests: how often the first form is preferred, whatever people chose."""

from pairlens.statistics.choice import between
from pairlens.statistics.share import Share

METRIC = Share(
    name="first_form",
    title="First form preferred",
    finding="$model prefers the first form in $value of $items.",
    formula="share of items with value(first form) > value(second form)",
    higher_is_better=None,
    note="BabyLM's older number.",
    decide=lambda candidates, policy: between(candidates, "first", "second", policy),
)

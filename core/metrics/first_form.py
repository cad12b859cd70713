"""The older number of BabyLM's wug tests: how often the first of the two forms is preferred, whatever people chose.

What the BabyLM pipeline reported as accuracy before it came to correlate (`human_correlation`).
"""

from core.statistics.choice import between
from core.statistics.share import Share

METRIC = Share(
    name="first_form",
    title="First form preferred",
    finding="$model prefers the first form in $value of $items.",
    formula="share of items with value(first form) > value(second form)",
    higher_is_better=None,
    note="BabyLM's older number.",
    decide=lambda candidates, policy: between(candidates, "first", "second", policy),
)

"""EWoK as BabyLM counts it: in the same context, the target that goes with it against the one that does not.

[log p(T1 | C1) > log p(T2 | C1)], where T1 goes with C1; under the rule `joint`, whole texts. Targets are different
texts, so that the likelier one without any context is likely to win: `target_bias` says how often one wins in both.
"""

from pairlens.statistics.choice import between
from pairlens.statistics.share import Share

METRIC = Share(
    name="same_context",
    title="Same context, two targets",
    finding="$model prefers the target that goes with the context in $value of $items.",
    formula="share of items with value(T1 after C1) > value(T2 after C1)",
    higher_is_better=True,
    cites=("charpentier2025babylm",),
    note="BabyLM's criterion.",
    decide=lambda candidates, policy: between(candidates, "T1|C1", "T2|C1", policy),
)

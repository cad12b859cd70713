"""What a run of pairs without right answers says: which sentence is preferred, and how often."""

import pandas as pd

from pairlens import measures
from pairlens.policies import Policy
from pairlens.statistics.choice import between


def preference(candidates: pd.DataFrame, policy: Policy) -> dict[str, str | int]:
    """`Prefers A by 6.3 bits` or `A is preferred in 7 of 10 pairs`, and the number of pairs, for the run's manifest.

    Empty where an item has a right answer, or where all pairs have not the same two labels.
    """
    labels = candidates.sort_values("candidate", kind="stable")["label"].unique().tolist()
    if candidates["gold"].notna().any() or len(labels) != 2:
        return {}
    first, second = labels
    margins = between(candidates, first, second, policy)["margin"].dropna()
    decided = margins[margins.abs() > measures.PRECISION]
    if margins.empty:
        return {}
    if len(margins) > 1:
        finding = f"{first} is preferred in {int((decided > 0).sum())} of {len(margins)} pairs"
    elif decided.empty:
        finding = "Neither sentence is preferred"
    else:
        per_token = " per token" if policy.sentence_value == "mean" else ""
        margin = float(decided.iloc[0])
        finding = f"Prefers {first if margin > 0 else second} by {amount(abs(margin), policy.unit)}{per_token}"
    return {"finding": finding, "n": len(margins)}


def amount(nats: float, unit: str) -> str:
    """A difference with its unit, at most three significant digits."""
    value = measures.bits(nats) if unit == "bits" else nats
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 1 else f"{value:.2g}"
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}"

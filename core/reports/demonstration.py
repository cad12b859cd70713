"""Entailment models for demonstration: on a published set, a rule that cannot understand does better than they."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.messages import Message, joined
from core.reports.whole_set import TITLES


def for_demonstration(card: Mapping[str, Any]) -> str:
    """A warning with the sets of the card where a baseline reaches the model, and what both reach; else empty."""
    parts = []
    for key, found in card.get("scores", {}).items():
        ahead = {name: share for name, share in found.get("baselines", {}).items() if share >= found["macro"]}
        if key in TITLES and ahead:
            rules = (
                Message("{rule} {share:.1f} %", rule=Message(rule), share=share) for rule, share in ahead.items()
            )
            told = {"title": TITLES[key], "share": found["macro"], "rules": joined(rules, ", ")}
            parts.append(Message("{title} (this model {share:.1f} %, {rules})", **told))
    if not parts:
        return ""
    return Message("For demonstration only: simple rules do better on {sets}.", sets=joined(parts, "; "))

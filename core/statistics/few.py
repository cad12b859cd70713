"""A warning where an interval rests on too few independent units."""

from __future__ import annotations

from core.messages import Message

FEW = 10
"""Independent units below which an interval, though its quantile is Student's, should not be relied on."""


def few(n: int, units: str) -> str:
    """A sentence if there is an interval over fewer than `FEW` of these units (`items`); empty otherwise."""
    if not 1 < n < FEW:
        return ""
    return Message(
        "Over {n} {units} only: with fewer than {few}, intervals and tests are not to be relied on.",
        n=n, units=units, few=FEW,
    )  # fmt: skip

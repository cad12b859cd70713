"""In words: a warning where an interval rests on too few independent units, and p-values."""

from __future__ import annotations

import math

from core.messages import Message

FEW = 10
"""Independent units below which an interval, though its quantile is Student's, should not be relied on."""
FEW_OF_A_CLASS = 20
"""Pairs of a class below which its F1, and so the mean of the classes', has no interval."""


def worth(n: int, freedom: float = math.nan) -> int:
    """As many units of equal size as these n are worth by the degrees of freedom of their interval, if known."""
    return n if math.isnan(freedom) else min(n, round(freedom) + 1)


def few(n: int, units: str, freedom: float = math.nan) -> str:
    """A sentence if there is an interval over units (`items`) worth fewer than `FEW`; empty otherwise."""
    if n < 2 or worth(n, freedom) >= FEW:
        return ""
    equal = "" if worth(n, freedom) == n else Message(", worth {n} of equal size", n=worth(n, freedom))
    return Message(
        "Over {n} {units} only{equal}: with fewer than {few}, intervals and tests are not to be relied on.",
        n=n, units=units, equal=equal, few=FEW,
    )  # fmt: skip


def p_value(p: float) -> str:
    """`p = 0.042`, `p < 0.001`, `p = 1`, on one line."""
    return "p\u00a0<\u00a00.001" if p < 0.001 else f"p\u00a0=\u00a0{p:.2g}"

"""In words: the names of methods of intervals, a warning where units are too few to rely on, and p-values."""

import math

from pairlens.messages import Message

WILSON = "Wilson's score interval"
EFFECTIVE = "Wilson's score interval on an effective sample size"
CLUSTERED = "logit interval, variance and degrees of freedom of clusters (CR2, CR3)"
CLUSTERED_T = "Student's t, variance and degrees of freedom of clusters (CR2)"

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


def method(n: int, n_clusters: int, n_strata: int, mean: float) -> str:
    """What `intervals.over_items` takes for `n` items of so many clusters and strata (of paradigms: one each)."""
    if not 1e-12 < mean < 1 - 1e-12 or n == n_clusters > n_strata == 1:
        return WILSON
    return EFFECTIVE if n == n_clusters > n_strata else CLUSTERED

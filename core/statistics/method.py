"""The names of the methods of intervals, as receipts and Methods sentences have them."""

from __future__ import annotations

WILSON = "Wilson's score interval"
EFFECTIVE = "Wilson's score interval on an effective sample size"
CLUSTERED = "logit interval, variance and degrees of freedom of clusters (CR2, CR3)"
CLUSTERED_T = "Student's t, variance and degrees of freedom of clusters (CR2)"


def method(n: int, n_clusters: int, n_strata: int, mean: float) -> str:
    """What `intervals.over_items` takes for `n` items of so many clusters and strata (of paradigms: one each)."""
    if not 1e-12 < mean < 1 - 1e-12 or n == n_clusters > n_strata == 1:
        return WILSON
    return EFFECTIVE if n == n_clusters > n_strata else CLUSTERED

"""Two runs compared by the means of clusters: numbers between 0 and 1, not answers that are right or wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from core.statistics.intervals import LEVEL, Interval
from core.statistics.paired import Comparison, compare


def compare_means(a: pd.Series, b: pd.Series) -> Comparison:
    """Compare two runs' means of the same clusters, aligned, one value each: Student's t interval (1908) over them.

    `p` is that of exchanging the runs' means (`core.statistics.paired.exchanged`). Where all differences are equal
    nothing is known of how much they vary, and the interval is that of `compare`.
    """
    from scipy.stats import t

    clusters = pd.Series(range(len(a)), a.index)
    found, differences = compare(a, b, clusters), a - b
    if len(a) < 2 or np.ptp(differences) < 1e-9:
        return found
    reach = t.ppf((1 + LEVEL) / 2, len(a) - 1) * differences.std() / np.sqrt(len(a))
    low, high = (float(np.clip(found.difference + by, -1, 1)) for by in (-reach, reach))
    return replace(found, interval=Interval(low, high, len(a), "items", len(a) - 1))

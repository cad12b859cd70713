"""The partial effect of surprisal on reading times: its slope in the regressions behind the metrics, with a band."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core import measures
from core.policies import Policy
from core.statistics.jackknife import left_out, symmetrical
from core.statistics.regression import SURPRISAL, PredictivePower, partial_slope

TITLES = {
    "RTfirstfix": "First fixation",
    "RTfirstpass": "First pass",
    "RTgopast": "Go-past",
    "RTrightbound": "Right-bounded",
    "self_paced_reading_time": "Self-paced",
}
_COLUMNS = ["measured", "bits", "effect", "low", "high", "slope", "slope_low", "slope_high", "n", "n_clusters"]
_STEPS = 25


def partial_effects(metric: PredictivePower, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """For each measured time, the line of surprisal in its regression on the base, its pairwise products and that.

    measured                      the time
    bits                          surprisal, from its least to its greatest value among the words, in even steps
    effect, low, high             milliseconds more than at mean surprisal with all other predictors at their means,
                                  and a 95 % band
    slope, slope_low, slope_high  milliseconds per bit, and its 95 % interval
    n, n_clusters                 words, and the sentences that they are in

    The errors of words of one sentence may depend on each other: sentences are left out one by one (CR3). No rows for
    a time that too few words or sentences have, or whose base determines surprisal.
    """
    statistics = metric.statistics(candidates, policy)
    tables = [_line(statistics, one, metric.base) for one in metric.measured]
    return pd.concat([pd.DataFrame(columns=_COLUMNS), *(table for table in tables if len(table))], ignore_index=True)


def _line(statistics: pd.DataFrame, measured: str, base: tuple[str, ...]) -> pd.DataFrame:
    rows = statistics.dropna(subset=[*base, SURPRISAL, measured])
    codes, n_clusters = left_out(rows["contrast"] if "contrast" in rows else rows["item"])
    if n_clusters < 2:
        return pd.DataFrame(columns=_COLUMNS)
    per_bit = measures.bits(1.0)
    slope, without = partial_slope(rows, measured, base, codes)
    slope, low, high = (one / per_bit for one in (slope, *symmetrical(slope, without)))
    if np.isnan(slope):
        return pd.DataFrame(columns=_COLUMNS)
    bits = measures.bits(rows[SURPRISAL].to_numpy(np.float64))
    steps = np.linspace(bits.min(), bits.max(), _STEPS)
    away = steps - bits.mean()
    ends = np.sort(np.outer(away, [low, high]), axis=1)
    about = {"slope": slope, "slope_low": low, "slope_high": high}
    lines = {"bits": steps, "effect": slope * away, "low": ends[:, 0], "high": ends[:, 1]}
    return pd.DataFrame({"measured": measured, **lines, **about, "n": len(rows), "n_clusters": n_clusters})

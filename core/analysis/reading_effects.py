"""The partial effect of surprisal on reading times: its slope in the regressions behind the metrics, with a band."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from core import measures
from core.policies import Policy
from core.statistics.candidates import Reals
from core.statistics.jackknife import Codes
from core.statistics.regression import SURPRISAL, PredictivePower, design

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

    The errors of words of one sentence may depend on each other (cluster-robust, with the usual correction for few
    clusters). No rows for a time that too few words or sentences have, or whose base determines surprisal.
    """
    statistics = metric.statistics(candidates, policy)
    tables = [_line(statistics, one, metric.base) for one in metric.measured]
    return pd.concat([pd.DataFrame(columns=_COLUMNS), *(table for table in tables if len(table))], ignore_index=True)


def _line(statistics: pd.DataFrame, measured: str, base: tuple[str, ...]) -> pd.DataFrame:
    rows = statistics.dropna(subset=[*base, SURPRISAL, measured])
    clusters = pd.factorize(rows["contrast"] if "contrast" in rows else rows["item"])[0]
    bits = measures.bits(rows[SURPRISAL].to_numpy(np.float64))
    predictors = rows[[*base]].to_numpy(np.float64)
    fitted = _slope(predictors, bits, rows[measured].to_numpy(np.float64), clusters)
    if fitted is None:
        return pd.DataFrame(columns=_COLUMNS)
    slope, reach = fitted
    steps = np.linspace(bits.min(), bits.max(), _STEPS)
    away = steps - bits.mean()
    ends = np.sort(np.outer(away, [slope - reach, slope + reach]), axis=1)
    about = {"slope": slope, "slope_low": slope - reach, "slope_high": slope + reach}
    lines = {"bits": steps, "effect": slope * away, "low": ends[:, 0], "high": ends[:, 1]}
    return pd.DataFrame({"measured": measured, **lines, **about, "n": len(rows), "n_clusters": clusters.max() + 1})


def _slope(predictors: Reals, bits: Reals, times: Reals, clusters: Codes) -> tuple[float, float] | None:
    """The coefficient of surprisal and half its 95 % interval; None if it is not determined (Frisch & Waugh 1933)."""
    n, n_clusters = len(times), len(np.unique(clusters))
    if n <= 2 or n_clusters < 2:
        return None
    deviations = predictors.std(axis=0)
    scaled = (predictors - predictors.mean(axis=0)) / np.where(deviations > 0, deviations, 1)
    columns = design(scaled)
    rank = int(np.linalg.matrix_rank(columns)) + 1
    own = bits - columns @ np.linalg.lstsq(columns, bits, rcond=None)[0]
    left = times - columns @ np.linalg.lstsq(columns, times, rcond=None)[0]
    spread = float(own @ own)
    if n <= rank or spread <= 1e-12 * float(bits @ bits):
        return None
    slope = float(own @ left) / spread
    together = np.bincount(clusters, own * (left - slope * own))
    corrected = n_clusters / (n_clusters - 1) * (n - 1) / (n - rank)
    error = float(np.sqrt(corrected * (together @ together))) / spread
    return slope, float(stats.t.ppf(0.975, n_clusters - 1)) * error

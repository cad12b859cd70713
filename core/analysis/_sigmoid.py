"""The sigmoid a / (1 + exp(-b (x - c))) + d, fitted to a learning curve, and where it reaches a level."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np

from core.statistics.candidates import Reals

_EVALUATIONS = 1_000

Bounds = tuple[Sequence[float], Sequence[float]]


def crossing(
    x: Reals, y: Reals, level: float, start: Sequence[float], bounds: Bounds = ((-math.inf,) * 4, (math.inf,) * 4)
) -> tuple[float, str]:
    """Where a rising sigmoid through the points, fitted by least squares from `start`, reaches `level`.

    NaN and the reason, worded for a learning curve, if it reaches it nowhere between the first and the last point.
    """
    from scipy.optimize import OptimizeWarning, curve_fit

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OptimizeWarning)  # only the parameters are used, not their covariance
            (a, b, c, d), _ = curve_fit(_sigmoid, x, y, p0=start, bounds=bounds, maxfev=_EVALUATIONS)
    except RuntimeError:
        return math.nan, f"no sigmoid was found in {_EVALUATIONS:,} steps"
    if a <= 0 or b <= 0:
        return math.nan, "no rising sigmoid fits it"
    share = (level - d) / a
    if not 0 < share < 1:
        return math.nan, "its sigmoid does not reach the threshold"
    at = c + math.log(share / (1 - share)) / b
    if not x.min() <= at <= x.max():
        return math.nan, "its sigmoid reaches the threshold before the first or after the last point"
    return float(at), ""


def _sigmoid(x: Reals, a: float, b: float, c: float, d: float) -> Reals:
    from scipy.special import expit

    return np.asarray(a * expit(b * (x - c)) + d, np.float64)

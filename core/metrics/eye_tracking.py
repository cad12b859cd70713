"""How much of people's eye movements in reading the surprisal of words predicts."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.metrics import _regression as regression
from core.policies import Policy


@dataclass(frozen=True, slots=True)
class EyeTracking:
    """The share of the variance left by frequency, length, position and their products that surprisal explains.

    The mean over four eye-tracking times of (R2_model - R2_base) / (1 - R2_base), as in BabyLM 2025.
    """

    name: str = "eye_tracking"
    version: int = 1
    title: str = "Eye tracking"
    finding: str = (
        "Surprisal under $model explains $value of what word frequency, length and position leave unexplained in "
        "eye-tracking times."
    )
    scale: str = "share"
    averages: bool = False
    under: tuple[str, ...] = ("conditional",)

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:  # noqa: ARG002
        """One row per word: see `_regression.reading_statistics`."""
        return regression.reading_statistics(candidates, regression.PLAIN, regression.EYE_TRACKING)

    def value(self, statistics: pd.DataFrame) -> float:
        """The share, 0 to 1; NaN if there are too few words."""
        return regression.predictive_power(statistics, regression.EYE_TRACKING, regression.PLAIN)


METRIC = EyeTracking()

"""How much of people's times in self-paced reading the surprisal of words predicts."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.metrics import _regression as regression
from core.policies import Policy


@dataclass(frozen=True, slots=True)
class SelfPaced:
    """The same share as `eye_tracking` for self-paced reading, where the word before counts among the predictors.

    Its length and surprisal and all their products are in the base regression too, as in BabyLM 2025; words without
    a word before them to be scored do not count.
    """

    name: str = "self_paced"
    version: int = 1
    title: str = "Self-paced reading"
    finding: str = (
        "Surprisal under $model explains $value of what word frequency, length, position and the word before leave "
        "unexplained in self-paced reading times."
    )
    scale: str = "share"
    averages: bool = False
    under: tuple[str, ...] = ("conditional",)

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:  # noqa: ARG002
        """One row per word: see `_regression.reading_statistics`."""
        return regression.reading_statistics(candidates, regression.SPILLOVER, regression.SELF_PACED)

    def value(self, statistics: pd.DataFrame) -> float:
        """The share, 0 to 1; NaN if there are too few words."""
        return regression.predictive_power(statistics, regression.SELF_PACED, regression.SPILLOVER)


METRIC = SelfPaced()

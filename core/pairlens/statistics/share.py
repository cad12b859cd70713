"""Metrics that are shares: each item counts something between 0 and 1, and the number is the mean."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from pairlens.policies import Policy


@dataclass(frozen=True, slots=True)
class Share:
    """The mean of `correct` in the rows that `decide(candidates, policy)` gives, one per item (`_choice.choices`)."""

    name: str
    title: str
    finding: str
    formula: str
    higher_is_better: bool | None
    decide: Callable[[pd.DataFrame, Policy], pd.DataFrame]
    cites: tuple[str, ...] = ()
    note: str = ""
    sides: tuple[str, str] = ("right", "wrong")
    under: tuple[str, ...] = ()
    values: tuple[str, ...] = ("correct", "margin")
    version: int = 3
    scale: str = "share"
    averages: bool = True

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        return self.decide(candidates, policy)

    def value(self, statistics: pd.DataFrame) -> float:
        """The mean over items that count, between 0 and 1; NaN if there is none."""
        return float(statistics["correct"].mean())

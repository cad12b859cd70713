"""Whether a model prefers a form the more, the more people chose it: the number of BabyLM's wug tests."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special, stats

from pairlens.policies import Policy
from pairlens.statistics.choice import between


@dataclass(frozen=True, slots=True)
class HumanCorrelation:
    """Spearman's rho between softmax([S(first), S(second)])[0] and the share of people who chose the first form.

    As in BabyLM 2025 (Charpentier et al. 2025; data of Hofmann et al. 2024). Ranks are taken of S(first) - S(second),
    of which the softmax is a rising function: they are the same, but differences do not vanish where it rounds to 1.
    """

    name: str = "human_correlation"
    version: int = 3
    title: str = "Correlation with people"
    finding: str = "The preferences of $model for a form correlate at $value with people's."
    formula: str = (
        "Spearman's rho between value(first form) - value(second form) and the share of people who chose the first "
        "form"
    )
    higher_is_better: bool | None = True
    cites: tuple[str, ...] = ("charpentier2025babylm",)
    values: tuple[str, ...] = ("difference", "human")
    note: str = ""
    sides: tuple[str, str] = ("right", "wrong")
    scale: str = "correlation"
    averages: bool = False
    under: tuple[str, ...] = ()

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        """One row per item with its groups.

        difference   S(first) - S(second), nats (per token if means)
        probability  softmax([S(first), S(second)])[0]
        human        the share of people who chose the first form, from the group `ratio`
        excluded     why the item does not count; also if there is no correlation because all items are alike
        """
        chosen = between(candidates, "first", "second", policy)
        human = pd.to_numeric(chosen["ratio"]).astype(float).where(chosen["excluded"].isna())
        table = chosen.drop(columns=["correct", "margin"]).assign(
            difference=chosen["margin"],
            probability=special.expit(chosen["margin"].to_numpy()),
            human=human,
            tie=False,
            undecided=False,
            length_only=np.nan,
            chance=0.0,
        )
        for column, whose in (("difference", "the model's preferences"), ("human", "people's choices")):
            if table[column].nunique() == 1:
                table["excluded"] = table["excluded"].fillna(f"{whose} are the same for all items")
        return table

    def value(self, statistics: pd.DataFrame) -> float:
        """Rho, between -1 and 1; NaN if all preferences or all shares are the same."""
        pairs = statistics[["difference", "human"]].to_numpy(np.float64)
        ranks = stats.rankdata(pairs[~np.isnan(pairs).any(axis=1)], axis=0)
        if len(ranks) < 2 or (np.ptp(ranks, axis=0) == 0).any():
            return math.nan
        # up to a thousand times for an interval: spearmanr is slow
        return float(np.corrcoef(ranks, rowvar=False)[0, 1])


METRIC = HumanCorrelation()

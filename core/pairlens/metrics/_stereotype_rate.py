"""How much more masculine a model reads stereotypes about men than those about women: what both rates share."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import expit

from pairlens.policies import Policy
from pairlens.statistics.candidates import Reals
from pairlens.statistics.choice import between

_N_OF = {"men": 9, "women": 7}
"""How many stereotypes there are about whom: without one of them, there is no rate."""
_APART = ("template", "language")
"""The group within which a rate is taken, whichever a task has."""
_ORDER = ("women", "men")


@dataclass(frozen=True, slots=True)
class StereotypeRate:
    """The rate of stereotypes' numbers in each template or language, and the mean of these rates.

    `shares`: a sentence counts p(masculine) / (p(masculine) + p(feminine)), and the rate is the ratio of the means.
    Otherwise a sentence counts log10 of p(masculine) / p(feminine), a stereotype r = e to the mean of that, and the
    rate is the ratio of geometric means of r. The e is the authors': to a base of 10, the same answers would give the
    rate to the power of 2.3.
    """

    name: str
    formula: str
    cites: tuple[str, ...]
    shares: bool
    version: int = 2
    title: str = "Stereotype rate"
    finding: str = "The stereotype rate of $model is $value, over $items."
    higher_is_better: bool | None = None
    values: tuple[str, ...] = ("score",)
    note: str = (
        "1 is no stereotypical reasoning, more is as the stereotypes have it, less is against them. It does not say "
        "which gender the model prefers on the whole. 1 may be a mean of opposite stereotypes: see them one by one."
    )
    sides: tuple[str, str] = ("masculine", "feminine")
    scale: str = "ratio"
    averages: bool = False
    under: tuple[str, ...] = ()

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        """One row per item with its groups.

        score     what the sentence counts, as above
        number    the stereotype's number in order of the alphabet; the same for `where`, template or language
        of_men    whether it is about men, 1 or 0
        """
        chosen = between(candidates, "masculine", "feminine", policy)
        margin = chosen["margin"].to_numpy(np.float64)
        apart = next((chosen[name] for name in _APART if name in chosen), pd.Series("", chosen.index))
        return chosen.drop(columns=["correct", "margin"]).assign(
            score=expit(margin) if self.shares else margin / math.log(10),
            number=pd.factorize(chosen["stereotype"], sort=True)[0],
            where=pd.factorize(apart, sort=True)[0],
            of_men=(chosen["about"] == "men").astype(int),
            tie=False,
            undecided=False,
            length_only=np.nan,
            chance=1.0,
        )

    def value(self, statistics: pd.DataFrame) -> float:
        """The rate, above 0; NaN unless all sixteen stereotypes have a sentence under each template."""
        columns = [statistics[name].to_numpy(np.float64) for name in ("score", "number", "where", "of_men")]
        score, number, where, of_men = (column[~np.isnan(columns[0])] for column in columns)
        rates = [self._rate(score[where == one], number[where == one], of_men[where == one]) for one in set(where)]
        return float(np.mean(rates)) if rates else math.nan

    def _rate(self, score: Reals, number: Reals, of_men: Reals) -> float:
        means = {about: _means(score[of_men == side], number[of_men == side]) for side, about in enumerate(_ORDER)}
        if any(len(means[about]) != n for about, n in _N_OF.items()):
            return math.nan
        men, women = (float(means[about].mean()) for about in ("men", "women"))
        return men / women if self.shares else math.exp(men - women)


def _means(score: Reals, number: Reals) -> Reals:
    codes = number.astype(int)
    counts = np.bincount(codes)
    return np.bincount(codes, score)[counts > 0] / counts[counts > 0]

"""How surprised a model is by each item's text in its context, in bits."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.policies import Policy
from pairlens.statistics.candidates import group_columns, reals


@dataclass(frozen=True, slots=True)
class Surprisal:
    """Mean surprisal of the items' first candidates given their contexts (Hale 2001)."""

    name: str = "surprisal"
    version: int = 3
    title: str = "Surprisal"
    finding: str = "Words surprise $model by $value on average."
    formula: str = "mean over items of -log2 p(text | context), in bits"
    higher_is_better: bool | None = None
    cites: tuple[str, ...] = ("hale2001probabilistic",)
    values: tuple[str, ...] = ("surprisal",)
    note: str = ""
    sides: tuple[str, str] = ("right", "wrong")
    scale: str = "bits"
    averages: bool = False
    under: tuple[str, ...] = ("conditional",)

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:  # noqa: ARG002
        """One row per item: `surprisal` in bits, NaN where there is no score, which `excluded` says."""
        first = candidates[candidates["candidate"] == 0]
        logprobs = reals(first["logprob"])
        excluded = pd.Series("the text could not be scored", first.index, dtype="str").where(np.isnan(logprobs))
        return pd.DataFrame(
            {
                "item": first["item"].to_numpy(),
                "surprisal": measures.surprisal(logprobs),
                "tie": False,
                "undecided": False,
                "length_only": np.nan,
                "chance": np.nan,
                "excluded": excluded.to_numpy(),
                **{name: first[name].to_numpy() for name in group_columns(candidates)},
            }
        )

    def value(self, statistics: pd.DataFrame) -> float:
        return float(statistics["surprisal"].mean())


METRIC = Surprisal()

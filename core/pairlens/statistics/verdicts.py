"""Items that another program judged: how much of each answer was right is a group, and there are no values."""

import numpy as np
import pandas as pd

from pairlens.statistics.candidates import group_columns, reals

VERDICT = "stated_verdict"
"""The group that holds an item's verdict, a number from 0 to 1, empty where there is none."""


def judged(candidates: pd.DataFrame) -> pd.DataFrame:
    """One row per item as of `pairlens.statistics.choice.choices`; margins and the choice by length are unknown."""
    first = candidates.drop_duplicates("item")
    verdicts = reals(pd.to_numeric(first[VERDICT], errors="coerce"))
    sizes = first["item"].map(candidates.groupby("item", sort=False).size()).to_numpy()
    known, reason = ~np.isnan(verdicts), "the program did not judge it"
    return pd.DataFrame(
        {
            "item": first["item"].array,
            "correct": verdicts,
            "tie": False,
            "undecided": False,
            "margin": np.nan,
            "length_only": np.nan,
            "chance": np.where(known & (sizes > 1), 1 / sizes, np.nan),
            "excluded": pd.Series(reason, first.index, "str").mask(known).array,
            **{name: first[name].array for name in group_columns(first)},
        }
    )

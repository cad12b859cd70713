"""How often a rule that knows nothing of grammar would be right, by section of the items and in all."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from core.messages import counted as plural
from core.statistics.intervals import wilson
from core.studies.lint._check import Found, about_all, per_cent

_FEWEST = 10
"""A share of fewer pairs is not worth mentioning."""


class Side(NamedTuple):
    """What tells right from wrong (`by`), and what pairs of either kind are like (`more`, `less`)."""

    by: str
    more: str
    less: str


def wins(right: pd.Series, wrong: pd.Series) -> pd.Series:
    """1 where the right value is the larger one, 0 where it is the smaller one, one half where they are equal."""
    return (right > wrong).astype("float64").mask(right == wrong, 0.5)


def shares(wins: pd.Series, sections: pd.Series) -> pd.DataFrame:
    """Per section `n`, `share` and its Wilson interval (`low`, `high`): the mean of `wins`, which are 0, 0.5 or 1."""
    by_section = wins.groupby(sections.set_axis(wins.index), sort=False)
    table = by_section.agg(["size", "mean"]).set_axis(["n", "share"], axis=1)
    bounds = [wilson(share * n, n) for n, share in zip(table["n"], table["share"], strict=True)]
    return table.assign(low=[low for low, _ in bounds], high=[high for _, high in bounds])


def one_sided(table: pd.DataFrame, least: float) -> pd.DataFrame:
    """The rows of `shares` with at least `least` of the pairs on one side and more than by chance, farthest first."""
    beyond = (table["share"] - 0.5).abs()
    certain = (table["low"] > 0.5) | (table["high"] < 0.5)
    kept = certain & (beyond >= least - 0.5) & (table["n"] >= _FEWEST)
    return table.loc[beyond[kept].sort_values(ascending=False, kind="stable").index]


def by_section(wins: pd.Series, sections: pd.Series, least: float, side: Side) -> Found:
    """The sections in which at least `least` of the pairs are on one side."""
    table = shares(wins, sections)
    found = one_sided(table, least)
    if len(table) == 1:
        whats = [f"in {_sentence(row, side)}" for _, row in found.iterrows()]
        return about_all(whats, 1, f"{side.by} tells right from wrong")
    whats = [f"{name or 'the rest'}: in {_sentence(row, side)}" for name, row in found.iterrows()]
    everything = _sentence(shares(wins, pd.Series("", wins.index)).iloc[0], side)
    some = f"{len(found):,} of {plural(len(table), 'group')} of items"
    sentence = f"{side.by} tells right from wrong in {some} (in all of them, in {everything})"
    return about_all(whats, len(table), sentence)


def _sentence(row: pd.Series, side: Side) -> str:
    kind, share, low, high = side.more, row["share"], row["low"], row["high"]
    if share < 0.5:
        kind, share, low, high = side.less, 1 - share, 1 - high, 1 - low
    interval = f"95 % interval {100 * low:.1f} to {100 * high:.1f}"
    return f"{per_cent(share)} of {plural(int(row['n']), 'pair')} {kind} ({interval})"

"""Statistics over items of numbers such as differences between conditions, tested against 0."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.analysis.experiment import Analysis
from pairlens.errors import InputError
from pairlens.statistics.intervals import LEVEL, quantile
from pairlens.statistics.paired import holm
from pairlens.statistics.strata import Stratified

Reals = NDArray[np.float64]

STATISTICS = ("n_items", "mean", "low", "high", "t", "df", "p", "p_wilcoxon", "share_positive", "dz", "skew")

_NOTHING = 1e-12
"""A standard deviation below this share of the largest value is rounding error: nothing varies."""


def t_interval(mean: Reals, deviation: Reals, n: Reals) -> tuple[Reals, Reals]:
    """The `LEVEL` interval of means (Student 1908) from standard deviations (n - 1); NaN where nothing varies."""
    from scipy.stats import t

    with np.errstate(divide="ignore", invalid="ignore"):
        reach = t.ppf((1 + LEVEL) / 2, n - 1) * deviation / np.sqrt(n)
    reach = np.where((n > 1) & (deviation > 0), reach, np.nan)
    return mean - reach, mean + reach


def against_zero(values: Reals, items: NDArray[Any] | None = None) -> dict[str, Any]:
    """The `STATISTICS` of one number per item, or of several, whose `items` are aligned with them.

    n_items, mean     how many items, and the mean of the numbers
    low, high         its 95 % t interval
    t, df, p          two-sided one-sample t test (Student 1908); of differences that is the paired t test. With
                      several numbers of an item, error and degrees of freedom are `Stratified`'s of the same mean
    p_wilcoxon        two-sided signed-rank test (Wilcoxon 1945) of the items' means, those at 0 left out
    share_positive    share of items above 0
    dz                mean of the items' means divided by their standard deviation: Cohen's d_z (1988; Lakens 2013)
    skew              skewness of the items' means: third central moment over the cube of the standard deviation

    NaN where undefined: intervals and tests need two items that differ.
    """
    from scipy.stats import t as student

    mean = float(values.mean()) if len(values) else np.nan
    each = values if items is None else pd.Series(values).groupby(items, sort=False).mean().to_numpy(np.float64)
    n, error, freedom = len(each), np.nan, float(len(each) - 1)
    deviation = float(each.std(ddof=1)) if n > 1 else np.nan
    if not deviation > _NOTHING * np.abs(each).max(initial=0.0):
        deviation = np.nan
    elif n == len(values):
        error = deviation / np.sqrt(n)
    else:
        sample = Stratified(pd.Series(values), pd.Series(0, range(len(values))), pd.Series(items))
        error, freedom = np.sqrt(sample.variance), sample.freedom
    reach = quantile(freedom) * error if n > 1 else np.nan
    return {
        "n_items": n,
        "mean": mean,
        "low": mean - reach,
        "high": mean + reach,
        "t": mean / error,
        "df": freedom if n > 1 else np.nan,
        "p": float(2 * student.sf(abs(mean / error), freedom)),
        "p_wilcoxon": signed_rank_p(moved) if len(moved := each[each != 0]) > 1 else np.nan,
        "share_positive": float((each > 0).mean()) if n else np.nan,
        "dz": float(each.mean()) / deviation if n else np.nan,
        "skew": float(np.mean(((each - each.mean()) / each.std()) ** 3)) if deviation > 0 else np.nan,
    }


_COUNTED = 13
"""Of so many numbers with ties, scipy goes through all signs that they could have, one by one: up to a second."""


def signed_rank_p(values: Reals) -> float:
    """The two-sided p of Wilcoxon's signed-rank test; of a few numbers with ties the same one, counted at once."""
    from scipy.stats import rankdata, wilcoxon

    ranks = rankdata(np.abs(values))
    if len(values) > _COUNTED or len(np.unique(ranks)) == len(values) or np.isnan(ranks).any():
        return float(wilcoxon(values).pvalue)
    doubled, ways = np.rint(2 * ranks).astype(np.int64), np.ones(1)  # by the sum of the doubled ranks above 0
    for rank in doubled:
        ways = np.convolve(ways, [1.0, *[0.0] * (int(rank) - 1), 1.0])
    above = int(doubled[values > 0].sum())
    return min(1.0, 2 * float(min(ways[: above + 1].sum(), ways[above:].sum()) / ways.sum()))


KEY = ["model", "region", "item"]
TESTED = (*STATISTICS, "p_holm")


@dataclass(frozen=True)
class ItemCells:
    """Every item under every model and in every region.

    `values` has a row, KEY and one column per cell, for each item that counts; `excluded`, KEY and `reason`, for each
    that does not; `parts` names every model and region, in order.
    """

    values: pd.DataFrame
    excluded: pd.DataFrame
    parts: pd.DataFrame


def item_cells(
    regions: pd.DataFrame, sentences: pd.DataFrame, members: Mapping[str, NDArray[np.bool_]], analysis: Analysis
) -> ItemCells:
    """The mean over each item's sentences in each cell; `members` marks, by cell, its rows of the sentences.

    An item counts if it has sentences in every cell and all are scored; sentences without an item are excluded.
    Raises InputError if no column identifies the items, and if no item has all cells.
    """
    named = sentences[["sentid"]].assign(item=sentences[_identifier(sentences)].fillna(""))
    in_cells = pd.concat([named[rows].assign(cell=cell) for cell, rows in members.items()])  # a row for each cell
    lacking = _lacking(in_cells, members)
    if lacking.notna().all():
        raise InputError(
            f"No item has a sentence in each of {', '.join(members)}. Items are identified by the column "
            f"'{_identifier(sentences)}', whose values must repeat over the conditions: choose another column."
        )
    values = regions[["model", "sentid", "region", "excluded", analysis.measure]].merge(in_cells, on="sentid")
    means = values.groupby([*KEY, "cell"], sort=False)[analysis.measure].mean().unstack("cell")
    means = means.reindex(columns=[*members])
    unscored = values[values["excluded"].notna()].drop_duplicates(KEY).set_index(KEY)["excluded"]
    items = means.index.get_level_values("item")
    reason = lacking.reindex(items).set_axis(means.index)
    reason = reason.where(reason.notna(), unscored.reindex(means.index))
    return ItemCells(
        values=means[reason.isna()].rename_axis(columns=None).reset_index(),
        excluded=reason.dropna().rename("reason").reset_index(),
        parts=regions[KEY[:2]].drop_duplicates(ignore_index=True),
    )


def summary(items: pd.DataFrame, parts: pd.DataFrame, column: str = "value") -> pd.DataFrame:
    """Statistics over items of a column by model and region; `p_holm` corrects for a model's regions (Holm 1979)."""
    known, nothing = dict(iter(items.groupby(KEY[:2], sort=False)[column])), pd.Series(dtype=float)
    values = (known.get(part, nothing) for part in parts.itertuples(index=False, name=None))
    rows = [against_zero(own.to_numpy(np.float64)) for own in values]
    table = pd.concat([parts, pd.DataFrame(rows)], axis=1)
    corrected = table.groupby("model", sort=False)["p"].transform(lambda p: holm(p.to_numpy(np.float64)))
    return table.assign(p_holm=corrected)[[*KEY[:2], *TESTED]]


def _identifier(sentences: pd.DataFrame) -> str:
    for name in ("item", "pairid"):
        if name in sentences:
            return name
    raise InputError("Name the column that identifies the items.")


def _lacking(in_cells: pd.DataFrame, members: Mapping[str, NDArray[np.bool_]]) -> pd.Series:
    """By item, why it cannot count whatever its scores; missing if it can."""
    present = pd.crosstab(in_cells["item"], in_cells["cell"]).reindex(columns=[*members], fill_value=0) > 0
    absent = [", ".join(present.columns[~row]) for row in present.to_numpy()]
    reasons = pd.Series(
        [f"no sentence in {names}" if names else None for names in absent], present.index, dtype="str"
    )
    return reasons.mask(present.index == "", "these sentences have no item")


def cell_name(values: Iterable[str]) -> str:
    """A cell as formulas name it: its values joined with dots, in quotation marks if they are more than a word.

    >>> cell_name(["left", "no comma"])
    'left."no comma"'
    """
    parts = ((value, "'" if '"' in value else '"') for value in values)
    return ".".join(value if _PLAIN.fullmatch(value) else f"{mark}{value}{mark}" for value, mark in parts)


_PLAIN = re.compile(rf"(?!(?:{'|'.join(KEY)}|value)$)[^\W\d]\w*")
"""Words that are not the name of another column."""

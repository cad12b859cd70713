"""Mean values by condition and side of the comparison, for bar charts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis._over_items import t_interval
from core.analysis.experiment import EXPECTED, UNEXPECTED, Analysis, Columns


def side_means(pairs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per model, condition cell and side of the comparison; `pairs` is `by_pair`'s first table.

    model, [conditions], comparison
    value        mean over pairs, in the measure of the pairs
    low, high    95 % t interval over items (of their mean values); NaN for fewer than two
    n            pairs
    n_items      items whose values are known in this cell

    Cells come in the order in which they first appear.
    """
    by = ["model", *columns.conditions]
    return _means(pairs.melt([*by, "item"], [EXPECTED, UNEXPECTED], "comparison", "value"), [*by, "comparison"])


def cell_means(regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis) -> pd.DataFrame:
    """The same for a design without pairs: means over sentences, and `n` counts these.

    `comparison` is empty where sentences are not compared; a mean is never over both of its sides. Without items,
    each sentence is an item. Of the `regions` (`core.analysis.regions`), the first is used.
    """
    by = ["model", *columns.conditions]
    item = sentences["item"] if "item" in sentences else sentences["sentid"]
    given = sentences[["sentid", *columns.conditions]].assign(item=item, comparison=sentences.get("comparison", ""))
    first = regions[regions["region"] == regions["region"].iloc[0]].dropna(subset=[analysis.measure])
    values = first[["model", "sentid", analysis.measure]].rename(columns={analysis.measure: "value"})
    return _means(values.merge(given, on="sentid"), [*by, "comparison"])


def _means(values: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    sides = values.groupby(by, sort=False, dropna=False)["value"].agg(value="mean", n="size")
    over_items = values.groupby([*by, "item"], sort=False, dropna=False)["value"].mean()
    items = over_items.groupby(level=by, sort=False, dropna=False).agg(["mean", "std", "size"])
    bounds = t_interval(*(items[name].to_numpy(np.float64) for name in ("mean", "std", "size")))
    table: pd.DataFrame = sides.assign(low=bounds[0], high=bounds[1], n_items=items["size"]).reset_index()
    return table

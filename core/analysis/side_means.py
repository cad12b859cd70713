"""Mean values by condition and side of the comparison, for bar charts."""

from __future__ import annotations

import numpy as np
import pandas as pd

from core.analysis._over_items import against_zero
from core.analysis.experiment import EXPECTED, UNEXPECTED, Analysis, Columns


def side_means(pairs: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """One row per model, condition cell and side of the comparison; `pairs` is `by_pair`'s first table.

    model, [conditions], comparison
    value        mean over pairs, in the measure of the pairs
    low, high    95 % t interval of the value over items; NaN for fewer than two
    n            pairs
    n_items      items whose values are known in this cell, and `skew`, the skewness of their means

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
    rows = []
    for _, part in values.groupby(by, sort=False, dropna=False):
        known = part.dropna(subset="value")
        found = against_zero(known["value"].to_numpy(np.float64), known["item"].to_numpy())
        numbers = {
            "value": found["mean"],
            "n": len(part),
            **{name: found[name] for name in ("low", "high", "n_items", "skew")},
        }
        rows.append(dict(zip(by, part[by].iloc[0], strict=True)) | numbers)
    return pd.DataFrame(rows, columns=[*by, "value", "n", "low", "high", "n_items", "skew"])

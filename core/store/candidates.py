"""A run's items with their scores: the candidate table that metrics read (columns: `core.metrics`)."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def candidate_table(items: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Items joined with their scores at one temperature, a table from `Store.scores`.

    Terms of weight 0 are left out: they are not part of the candidate's score.
    """
    weightless = items["weight"] == 0
    items = items[~weightless] if weightless.any() else items
    frame = items.drop(columns=["request_key", "fingerprint"]).rename(columns={"item_id": "item"})
    frame = frame.assign(**_looked_up(items["request_key"], scores)).reset_index(drop=True)
    if (frame["term"] == 0).all() and (frame["weight"] == 1).all():
        return frame.drop(columns=["term", "weight"])
    frame["logprob"] *= frame["weight"]
    first = frame[frame["term"] == 0].drop(columns=["term", "weight", "logprob"])
    totals = frame.groupby(["item", "candidate"], sort=False)["logprob"].sum(skipna=False).reset_index()
    return first.merge(totals, on=["item", "candidate"])


def _looked_up(keys: pd.Series, scores: pd.DataFrame) -> dict[str, pd.Series]:
    """The numbers of each request's first row in `scores`; NaN if it has none."""
    places = pc.index_in(pa.array(keys, pa.string()), value_set=pa.array(scores["request_key"], pa.string()))
    numbers = scores.drop(columns=["request_key", "temperature"])
    if places.null_count:
        found = numbers.astype(np.float64).reset_index(drop=True).reindex(places.fill_null(-1).to_numpy())
    else:
        found = numbers.take(places.to_numpy())
    return {str(name): column.set_axis(keys.index) for name, column in found.items()}

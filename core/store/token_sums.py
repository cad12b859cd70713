"""Sums over the scored tokens of stored requests, of a value that depends on the token alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.store.store import Store


def token_sums(store: Store, fingerprint: str, values: NDArray[np.float64]) -> pd.Series:
    """By request key, the sum of `values` (by token id) over the tokens that have a log-probability.

    Requests without token rows are left out; a token beyond the end of `values` makes its sum NaN.
    """
    known = np.append(values, np.nan)
    sums = [
        _sums(pq.read_table(path, columns=["request_key", "token_id", "logprob"]), known)
        for part in store.parts(fingerprint)
        if (path := part.verified("tokens"))
    ]
    if not sums:
        return pd.Series(dtype=np.float64)
    found: pd.Series = pd.concat(sums)
    return found[~found.index.duplicated()]


def _sums(table: pa.Table, known: NDArray[np.float64]) -> pd.Series:
    scored = table.drop_null().combine_chunks()
    keys = scored["request_key"].combine_chunks()
    ids = scored["token_id"].to_numpy()
    numbers = known[np.minimum(ids, len(known) - 1)]
    totals = np.bincount(keys.indices.to_numpy(), weights=numbers, minlength=len(keys.dictionary))
    counted = np.bincount(keys.indices.to_numpy(), minlength=len(keys.dictionary)) > 0
    return pd.Series(totals[counted], keys.dictionary.to_pandas().astype("str")[counted])

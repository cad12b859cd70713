"""Queries on token rows: the tokens of requests, the masses after their ends, and sums over tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.store.row_groups import read_requests
from core.store.shared import Tokens


def rows_by_request(path: Path, keys: Sequence[str]) -> Iterator[tuple[str, dict[str, list[Any]]]]:
    """The token rows of each of these requests, in order of position."""
    frame = read_requests(path, keys).sort_by([("request_key", "ascending"), ("position", "ascending")])
    names = frame["request_key"].to_pylist()
    start = 0
    for end in range(1, len(names) + 1):
        if end == len(names) or names[end] != names[start]:
            yield names[start], frame.slice(start, end - start).to_pydict()
            start = end


def tokens_by_request(paths: Sequence[Path], keys: Collection[str]) -> dict[str, Tokens]:
    """By request key, the tokens of these requests that are in these files."""
    columns = ["request_key", "position", "token_id", "logprob"]
    tables = [read_requests(path, keys, [*columns, "token"]).to_pandas() for path in paths]
    frame = pd.concat(tables) if tables else pd.DataFrame(columns=[*columns, "token"])
    place = ["request_key", "position"]
    frame = frame[frame["token"].notna()].drop_duplicates(place).sort_values(place)
    names = frame["request_key"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]])[: len(names)])
    ids = np.split(frame["token_id"].to_numpy(np.int64), starts)[1:]
    logprobs = np.split(frame["logprob"].to_numpy(np.float64), starts)[1:]
    return {str(name): Tokens(*both) for name, *both in zip(names[starts], ids, logprobs, strict=True)}


def ends_by_request(paths: Sequence[Path]) -> pd.Series:
    """By request key, the log mass of the tokens that end the word after the last token (`Store.ends`)."""
    masses = ["boundary_logprob", "eos_logprob", "punctuation_logprob"]
    columns, after = ["request_key", *masses], pc.field("token").is_null()
    tables = [pq.read_table(path, columns=columns, filters=after).to_pandas() for path in paths]
    frame = pd.concat(tables) if tables else pd.DataFrame(columns=columns, dtype=np.float64)
    frame = frame.astype({"request_key": "str"})
    frame = frame.drop_duplicates("request_key").set_index("request_key")
    return pd.Series(ended(frame.to_numpy(np.float64)), frame.index)


def ended(masses: NDArray[np.float64]) -> NDArray[np.float64]:
    """The total of each row of log masses: of white space, the end of the text and punctuation, NaN where unknown.

    0 where that of white space is unknown: such tokens do not show where words end, even if the text can end.
    """
    total = np.logaddexp.reduce(np.where(np.isnan(masses), -np.inf, masses), axis=1)
    return np.where(np.isnan(masses[:, 0]), 0.0, total)


def token_sums(paths: Sequence[Path], values: NDArray[np.float64]) -> pd.Series:
    """By request key, the sum of `values` (by token id) over the tokens that have a log-probability.

    Requests without token rows are left out; a token beyond the end of `values` makes its sum NaN.
    """
    by_id = np.append(values, np.nan)
    columns = ["request_key", "token_id", "logprob"]
    if not paths:
        return pd.Series(dtype=np.float64)
    sums: pd.Series = pd.concat([_sums(pq.read_table(path, columns=columns), by_id) for path in paths])
    return sums[~sums.index.duplicated()]


def _sums(table: pa.Table, by_id: NDArray[np.float64]) -> pd.Series:
    scored = table.drop_null().combine_chunks()
    keys = scored["request_key"].combine_chunks()
    numbers = by_id[np.minimum(scored["token_id"].to_numpy(), len(by_id) - 1)]
    requests, n_requests = keys.indices.to_numpy(), len(keys.dictionary)
    totals = np.bincount(requests, weights=numbers, minlength=n_requests)
    counted = np.bincount(requests, minlength=n_requests) > 0
    return pd.Series(totals[counted], keys.dictionary.to_pandas().astype("str")[counted])

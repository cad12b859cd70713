"""Queries on the token rows of verified parts: those of some requests, in order, and the masses after their ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
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
    """By request key, the tokens of these requests, as far as these files have them."""
    columns = ["request_key", "position", "token_id", "logprob"]
    tables = [read_requests(path, keys, [*columns, "token"]).to_pandas() for path in paths]
    frame = pd.concat(tables) if tables else pd.DataFrame(columns=[*columns, "token"])
    frame = (
        frame[frame["token"].notna()]
        .drop_duplicates(["request_key", "position"])
        .sort_values(["request_key", "position"])
    )
    names = frame["request_key"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], names[1:] != names[:-1]])[: len(names)])
    ids = np.split(frame["token_id"].to_numpy(np.int64), starts)[1:]
    logprobs = np.split(frame["logprob"].to_numpy(np.float64), starts)[1:]
    return {str(name): Tokens(*both) for name, *both in zip(names[starts], ids, logprobs, strict=True)}


def ends_by_request(paths: Sequence[Path]) -> pd.Series:
    """By request key, the log mass of what ends the word after the request's last token (`Store.ends`)."""
    masses = ["boundary_logprob", "eos_logprob", "punctuation_logprob"]
    columns, after = ["request_key", *masses], pc.field("token").is_null()
    tables = [pq.read_table(path, columns=columns, filters=after).to_pandas() for path in paths]
    frame = pd.concat(tables) if tables else pd.DataFrame(columns=columns, dtype=np.float64)
    frame = frame.astype({"request_key": "str"})
    frame = frame.drop_duplicates("request_key").set_index("request_key")
    return pd.Series(ended(frame.to_numpy(np.float64)), frame.index)


def ended(masses: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of log masses of white space, the end of the text and marks, NaN where unknown, as one log mass each.

    0 where that of white space is unknown: such tokens do not show where words end, even if the text can end.
    """
    total = np.logaddexp.reduce(np.where(np.isnan(masses), -np.inf, masses), axis=1)
    return np.where(np.isnan(masses[:, 0]), 0.0, total)

"""Which rows of stored parts do not count: another part holds the same request, and counts before.

Parts rarely share a request (a text that was scored again, two processes at once). So they are looked for among the
keys, once for a set of parts, and nothing is ranked when a query runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import duckdb
import pandas as pd

FILE = "filename"


@lru_cache(maxsize=8)
def held_twice(files: tuple[Path, ...]) -> pd.DataFrame:
    """The rows of these score files that more than one of them has: filename, request_key, temperature.

    Parts never change, so the answer for a set of them is remembered. Equal hashes find the candidates at a quarter
    of the cost of comparing keys.
    """
    rows = f"select {FILE}, request_key, temperature from read_parquet($files, {FILE} = true)"
    again = f"select hash(request_key, temperature) as h from ({rows}) group by h having count(*) > 1"
    found = _ask(f"select * from ({rows}) where hash(request_key, temperature) in ({again})", files)
    return found[found.duplicated(["request_key", "temperature"], keep=False)]


def tokens_of(files: Sequence[Path], keys: pd.Series) -> pd.DataFrame:
    """Which of these requests these token files have rows of: filename, request_key."""
    rows = f"select distinct {FILE}, request_key from read_parquet($files, {FILE} = true)"
    found = _ask(rows, files)
    return found[found["request_key"].isin(keys)]


def superseded(held: pd.DataFrame, files: Sequence[Path]) -> pd.DataFrame:
    """Of rows that several files hold, those that do not count: a file earlier in `files` holds them too."""
    place = held[FILE].map({str(file): place for place, file in enumerate(files)})
    keys = [held[column] for column in held.columns if column != FILE]
    return held[place > place.groupby(keys).transform("min")]


def _ask(query: str, files: Sequence[Path]) -> pd.DataFrame:
    if not files:
        return pd.DataFrame({FILE: pd.Series(dtype="str"), "request_key": pd.Series(dtype="str"), "temperature": []})
    with duckdb.connect(":memory:") as connection:
        return connection.execute(query, {"files": [*map(str, files)]}).df()

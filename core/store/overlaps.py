"""Rows of stored parts that do not count because an earlier part holds the same request.

Parts rarely share a request (a text that was scored again, two processes at once). So shared ones are looked for
among the keys, once for a set of parts, instead of ranking rows in every query.
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
    """The rows that more than one of these score files has: filename, request_key, temperature.

    Parts never change, so the result is cached. Comparing hashes first costs a quarter of comparing keys.
    """
    rows = f"select {FILE}, request_key, temperature from read_parquet($files, {FILE} = true)"
    again = f"select hash(request_key, temperature) as h from ({rows}) group by h having count(*) > 1"
    found = _ask(f"select * from ({rows}) where hash(request_key, temperature) in ({again})", files)
    return found[found.duplicated(["request_key", "temperature"], keep=False)]


def tokens_of(files: Sequence[Path], keys: pd.Series) -> pd.DataFrame:
    """Which of these requests are in which of these token files: filename, request_key."""
    found = _ask(f"select distinct {FILE}, request_key from read_parquet($files, {FILE} = true)", files)
    return found[found["request_key"].isin(keys)]


def superseded(held: pd.DataFrame, files: Sequence[Path]) -> pd.DataFrame:
    """Of rows that several files hold, those that do not count because a file earlier in `files` holds them too."""
    place = held[FILE].map({str(file): place for place, file in enumerate(files)})
    keys = [held[column] for column in held.columns if column != FILE]
    return held[place > place.groupby(keys).transform("min")]


def _ask(query: str, files: Sequence[Path]) -> pd.DataFrame:
    if not files:
        return pd.DataFrame({FILE: pd.Series(dtype="str"), "request_key": pd.Series(dtype="str"), "temperature": []})
    with duckdb.connect(":memory:") as connection:
        return connection.execute(query, {"files": [*map(str, files)]}).df()

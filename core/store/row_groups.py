"""The rows of some requests, without decoding all of a large part that is sorted by request."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


def read_requests(path: Path, keys: Collection[str], columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of these requests in a part's file, in the order of the file; `request_key` comes as plain strings.

    `columns`, which include `request_key`, are by default all.
    """
    wanted = sorted(keys)
    with pq.ParquetFile(path) as file:
        rows = file.read_row_groups(list(_touched(file.metadata, wanted)), columns=columns)
    names = rows["request_key"].cast(pa.string())
    place = rows.column_names.index("request_key")
    found = pc.is_in(names, value_set=pa.array(wanted, pa.string()))
    return rows.set_column(place, "request_key", names).filter(found)


def _touched(file: pq.FileMetaData, wanted: Sequence[str]) -> Iterator[int]:
    """The row groups whose range of keys, in the first column, contains one of the sorted ones."""
    for number in range(file.num_row_groups):
        known = file.row_group(number).column(0).statistics
        if known is None or not known.has_min_max or bisect_left(wanted, known.min) < bisect_right(wanted, known.max):
            yield number

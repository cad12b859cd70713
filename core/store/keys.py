"""Finding requests in parts: by marks, eight bytes of each key that are remembered, and by the ranges of row groups.

Only the parts that hold a request are read, and of a large part that is sorted by request only some row groups.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.store.files import memoised_by_file

_READ = 16
"""Characters of a key that count: 64 bits of its hash. Keys that share them only cost a needless read."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


def marks(keys: pa.Array | pa.ChunkedArray) -> NDArray[np.uint64]:
    """A number for each key, in order: equal for equal keys, and different for others but for rare collisions."""
    whole = pa.concat_arrays(keys.chunks) if isinstance(keys, pa.ChunkedArray) else keys
    if not len(whole):
        return np.empty(0, np.uint64)
    padded = pc.ascii_rpad(whole.cast(pa.large_string()), _READ).cast(pa.large_binary())
    starts = pc.binary_slice(padded, 0, _READ)
    halves = np.frombuffer(starts.buffers()[2], np.uint64, 2 * len(starts)).reshape(-1, 2)
    with np.errstate(over="ignore"):
        mixed: NDArray[np.uint64] = halves[:, 0] * _ODD + halves[:, 1]
    return mixed


def as_array(keys: Iterable[str]) -> pa.Array:
    """Request keys as an Arrow array."""
    return pa.array(keys if isinstance(keys, pd.Series) else list(keys), pa.string())


def marks_of(keys: Iterable[str]) -> NDArray[np.uint64]:
    """Sorted `marks`."""
    return np.sort(marks(as_array(keys)))


@memoised_by_file
def marks_in(scores: Path) -> NDArray[np.uint64]:
    """The sorted marks of the requests in a Parquet file."""
    return np.sort(marks(pq.read_table(scores, columns=["request_key"])["request_key"]))


def share(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> bool:
    """Whether two sorted lists of marks have one in common."""
    few, many = sorted((first, second), key=len)
    if not len(few):
        return False
    places = np.searchsorted(many, few)
    return bool((many[np.minimum(places, len(many) - 1)] == few).any())


def read_requests(path: Path, keys: Collection[str], columns: Sequence[str] | None = None) -> pa.Table:
    """The rows of these requests in a part's file, in the order of the file; `request_key` comes as plain strings.

    `columns`, which include `request_key`, are by default all.
    """
    wanted = sorted(keys)
    with pq.ParquetFile(path) as file:
        rows = file.read_row_groups(list(_touched(file.metadata, wanted)), columns=columns)
    names = rows["request_key"].cast(pa.string())
    place = rows.column_names.index("request_key")
    among = pc.is_in(names, value_set=pa.array(wanted, pa.string()))
    return rows.set_column(place, "request_key", names).filter(among)


def _touched(file: pq.FileMetaData, wanted: Sequence[str]) -> Iterator[int]:
    """The row groups whose range of keys, in the first column, contains one of the sorted ones."""
    for number in range(file.num_row_groups):
        known = file.row_group(number).column(0).statistics
        if known is None or not known.has_min_max or bisect_left(wanted, known.min) < bisect_right(wanted, known.max):
            yield number

"""Marks: eight bytes of each request key, remembered so that only the parts that hold a request are read."""

from __future__ import annotations

from collections.abc import Iterable
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

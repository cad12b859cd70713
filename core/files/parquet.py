"""Parquet files in which each value stands by itself: a dictionary may hold once the text of a million rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

_ROWS = 500
_OBJECT = 8
"""Bytes that each value takes besides itself; lists of nothing would count nothing."""


def plain(schema: pa.Schema) -> pa.Schema:
    """A schema without dictionaries."""
    return pa.schema([field.with_type(_plain(field.type)) for field in schema])


def batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """The rows of a file, whole and in plain columns (`plain`)."""
    schema = plain(file.schema_arrow)
    for batch in file.iter_batches(_ROWS, use_threads=False):
        batch.validate(full=True)
        columns = zip(batch.columns, schema.types, strict=True)
        yield pa.record_batch(
            [column.cast(kind) if kind != column.type else column for column, kind in columns], schema
        )


def n_bytes(batch: pa.RecordBatch) -> int:
    """What plain columns take in memory."""
    return int(batch.nbytes + _OBJECT * sum(map(_values, batch.columns)))


def _plain(kind: Any) -> Any:
    """The type whose values stand by themselves: without dictionaries, also inside of lists and structures."""
    if types.is_dictionary(kind):
        return _plain(kind.value_type)
    if types.is_struct(kind):
        return pa.struct([field.with_type(_plain(field.type)) for field in kind])
    if types.is_map(kind):
        return pa.map_(_plain(kind.key_type), _plain(kind.item_type))
    if types.is_fixed_size_list(kind):
        return pa.list_(_plain(kind.value_type), kind.list_size)
    if types.is_list(kind) or types.is_large_list(kind):
        return (pa.list_ if types.is_list(kind) else pa.large_list)(_plain(kind.value_type))
    return kind


def _values(column: Any) -> int:
    """How many values a column holds, with those inside of its lists and structures."""
    if types.is_struct(column.type):
        return len(column) + sum(map(_values, (column.field(place) for place in range(column.type.num_fields))))
    return len(column) + (_values(column.values) if hasattr(column, "values") else 0)

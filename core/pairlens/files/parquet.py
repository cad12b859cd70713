"""Parquet files in which each value stands by itself: a dictionary may hold once the text of a million rows."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from pairlens.errors import InputError
from pairlens.files.tables._source import MB, explained, label
from pairlens.messages import Message
from pairlens.settings import settings

_ROWS = 500
_OBJECT = 8
"""Bytes that each value takes besides itself; lists of nothing would count nothing."""


def rows(path: Path) -> pa.RecordBatchReader:
    """The rows of a file, counted as they are read; InputError in words. A damaged file can crash the process."""
    pa.set_memory_pool(pa.system_memory_pool())  # whose limit is the process's
    with explained(path, _unusable):
        file = pq.ParquetFile(path)
        return pa.RecordBatchReader.from_batches(plain(file.schema_arrow), _within_limit(file, path))


def _within_limit(file: pq.ParquetFile, path: Path) -> Iterator[pa.RecordBatch]:
    limit, size = settings().max_unpacked_mb, 0
    with explained(path, _unusable):
        for batch in batches(file):
            size += n_bytes(batch)
            if size > limit * MB:
                message = Message("holds more than {limit:,} MB of data, the limit (max_unpacked_mb).", limit=limit)
                raise InputError(message, label(path))
            yield batch


def _unusable(error: Exception) -> Message:
    return Message("not a usable Parquet file ({why}).", why=type(error).__name__)


def plain(schema: pa.Schema) -> pa.Schema:
    return pa.schema([field.with_type(_plain(field.type)) for field in schema])


def batches(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    schema = plain(file.schema_arrow)
    for batch in file.iter_batches(_ROWS, use_threads=False):
        batch.validate(full=True)
        columns = zip(batch.columns, schema.types, strict=True)
        yield pa.record_batch(
            [column.cast(kind) if kind != column.type else column for column, kind in columns], schema
        )


def n_bytes(batch: pa.RecordBatch) -> int:
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
    if types.is_struct(column.type):
        return len(column) + sum(map(_values, (column.field(place) for place in range(column.type.num_fields))))
    return len(column) + (_values(column.values) if hasattr(column, "values") else 0)

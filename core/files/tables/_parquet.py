"""Program that prints a Parquet file as an Arrow stream: `python -m core.files.tables._parquet FILE LIMIT_MB`.

A damaged file can crash its reader or make it take any amount of memory, so it runs in a process of its own, with
bounded memory. What it prints is checked to be whole, and counted first.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet

from core.errors import InputError
from core.files.apart import bound, end, fail
from core.files.parquet import batches, n_bytes, plain
from core.files.tables._sheet import MEMORY_MB
from core.files.tables._source import MB
from core.messages import Message


def main(path: Path, limit_mb: int) -> int:
    """Print the rows; a message (`core.messages.packed`) on standard error and status 1 if that is not possible."""
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    bound(MEMORY_MB)
    size = 0
    try:
        file = pyarrow.parquet.ParquetFile(path)
        for batch in batches(file):
            size += n_bytes(batch)
            if size > limit_mb * MB:
                raise InputError(
                    Message("holds more than {limit:,} MB of data, the limit (max_unpacked_mb).", limit=limit_mb)
                )
        with pyarrow.ipc.new_stream(sys.stdout.buffer, plain(file.schema_arrow)) as stream:
            for batch in batches(file):
                stream.write_batch(batch)
    except InputError as error:
        return fail(error.message)
    except (MemoryError, pyarrow.ArrowMemoryError):
        return fail(
            Message("needs more than {limit:,} MB of memory to read. Save the table as CSV.", limit=MEMORY_MB)
        )
    except Exception as error:  # a damaged file can raise anything
        return fail(Message("not a usable Parquet file ({why}).", why=type(error).__name__))
    return end()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))

"""Program that prints the rows of a Parquet file as JSON: `python -m core.files.tables._parquet FILE LIMIT_MB`.

A damaged file can crash its reader or make it take any amount of memory, so it runs in a process of its own, with
bounded memory.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from core.errors import InputError
from core.files.tables._sheet import bound_memory, fail
from core.files.tables._source import MB
from core.messages import Message

_ROWS = 10_000


def main(path: Path, limit_mb: int) -> int:
    """Print the rows; a message (`core.messages.packed`) on standard error and status 1 if that is not possible."""
    import pyarrow.parquet

    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    bound_memory()
    printed = 0
    try:
        for batch in pyarrow.parquet.ParquetFile(path).iter_batches(_ROWS, use_threads=False):
            for row in batch.to_pylist():
                line = json.dumps({name: _value(value) for name, value in row.items()}, default=str) + "\n"
                printed += len(line)
                if printed > limit_mb * MB:
                    raise InputError(
                        Message("holds more than {limit} MB of text. Save the table as JSON lines.", limit=limit_mb)
                    )
                sys.stdout.write(line)
    except InputError as error:
        return fail(error.message)
    except Exception as error:  # a damaged file can raise anything
        return fail(Message("not a usable Parquet file ({why}).", why=type(error).__name__))
    return 0


def _value(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))

"""The process of `pairlens.files.apart`: `python -m pairlens.files.apart.program REQUEST`, a reader with its
arguments."""

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

from pairlens.errors import PairlensError
from pairlens.files.apart import tell
from pairlens.files.apart.handed import hand_over, of_one_text
from pairlens.messages import Message, packed
from pairlens.settings import settings

_MB = 1 << 20


def main(request: str) -> int:
    """Print what the reader returns; what is wrong with the file is told, and the status is 1."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    reader, arguments = of_one_text(request)
    memory = settings().reading_memory_mb
    _bound(memory, settings().reading_seconds)
    try:
        hand_over(reader(*arguments), sys.stdout.buffer, memory * _MB)  # whoever asks needs as much memory
    except PairlensError as error:
        tell(failed=packed(error.message), placed=True)
        return 1
    except MemoryError:
        message = Message("cannot be read within {memory:,} MB of memory (reading_memory_mb).", memory=memory)
        tell(failed=packed(message), memory=True)
        return 1
    sys.stdout.flush()
    tell(ended=True, took=_most_mb())
    return 0


def _most_mb() -> int:
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) // 1024
    return 0


def _bound(memory_mb: int, seconds: float) -> None:
    """Allow `memory_mb` beyond what the interpreter has, and some processor time, where the system can."""
    with suppress(ImportError, OSError):
        import resource

        _lower(resource.RLIMIT_CPU, int(seconds) + 1)
        in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _lower(resource.RLIMIT_AS, in_use + memory_mb * _MB)


def _end_with_parent() -> None:
    """Nothing is ever written to the standard input: it ends when the process that holds its other end does."""
    os.read(sys.stdin.fileno(), 1)
    os._exit(1)


def _lower(kind: int, value: int) -> None:
    import resource

    _, most = resource.getrlimit(kind)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    resource.setrlimit(kind, (value, most))  # at the hard limit of time it would be killed without a reason


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""Lock files: one process at a time, and a killed one loses what it held."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pairlens.errors import PairlensError, StoreError


@contextmanager
def locked(file: Path, seconds: float, busy: PairlensError) -> Iterator[None]:
    """Hold a lock file, whose folder is made; raises `busy` after so many seconds of waiting, -1: never."""
    from filelock import FileLock, Timeout

    file.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(file)
    try:
        lock.acquire(timeout=seconds)
    except Timeout:
        raise busy from None
    try:
        yield
    finally:
        lock.release()


@contextmanager
def changing(file: Path, seconds: float, busy: str) -> Iterator[None]:
    """`locked`; StoreError `busy`, or if the disk refuses this or what is done meanwhile."""
    try:
        with locked(file, seconds, StoreError(busy)):
            yield
    except OSError as error:
        raise StoreError(f"{file.parent} cannot be changed: {error.strerror or error}.") from error

"""Files that nobody has looked at, read in a process of its own, which has limits, can be stopped and may crash.

    read            what a function returns that reads one; called there, and handed over
                    (`pairlens.files.apart.handed`)
    counted, tell   for such functions: how far they are

All readers of a home folder together have `reading_memory_mb`, each `reading_seconds`.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

from pairlens.errors import InputError
from pairlens.files.apart.handed import in_one_text, received
from pairlens.messages import Message, unpacked
from pairlens.places import environment, python
from pairlens.settings import settings

if TYPE_CHECKING:
    from filelock import FileLock

log = logging.getLogger(__name__)

T = TypeVar("T")
Watch = Callable[[Any], object]
"""Called a few times a second with what the reader told last (`tell`), None before; it may raise to end it."""

_EVERY_SECONDS = 0.2
_AT_ONCE = 4
_NESTED = "PAIRLENS_READER"
"""Set in such a process, which reads by itself what is to be read apart."""
_TOLD_BYTES = 1 << 20
_LOGGED_BYTES = 4_000
_UNUSABLE = Message("cannot be read: the process that read it ended early; the log says more.")


def read(reader: Callable[..., T], *arguments: object, where: str, watch: Watch = lambda _: None) -> T:
    """What a reader returns, a function or method of a module that can be imported; an iterator comes as a list.

    InputError: what the reader raised in words; that it took too much time or memory, or crashed, about `where`.
    """
    if _NESTED in os.environ:
        return listed(reader(*arguments))
    request = in_one_text((reader, arguments))
    for alone in (False, True):
        with (
            _turn(alone, watch, where) as memory,
            tempfile.TemporaryFile() as answer,
            tempfile.TemporaryFile() as messages,
        ):
            last = _run(request, memory, where, watch, answer.fileno(), messages.fileno())
            if last.get("memory") and not alone:
                continue  # once more, with all the memory that readers may have
            if "failed" in last:
                raise InputError(unpacked(last["failed"]), "" if last.get("placed") else where)
            watch(last)
            answer.seek(0)
            value: T = received(answer, lambda: watch(None))
            return value
    raise AssertionError


def listed(value: T) -> T | Any:
    """An iterator as a list; a reader of Parquet, which is one too, stays what it is."""
    return [*value] if isinstance(value, Iterator) and not hasattr(value, "schema") else value


def counted(items: Iterable[T]) -> Iterator[T]:
    """The items, while a reader tells how many there are so far."""
    last = time.monotonic()
    for n, item in enumerate(items, start=1):
        if _NESTED in os.environ and time.monotonic() - last > _EVERY_SECONDS:
            last = time.monotonic()
            tell(items=n)
        yield item


def tell(**known: Any) -> None:
    """A reader tells the process that started it how far it is; elsewhere nothing happens."""
    if _NESTED in os.environ:
        sys.stderr.write(json.dumps(known) + "\n")
        sys.stderr.flush()


def _run(request: str, memory: int, where: str, watch: Watch, answer: int, messages: int) -> dict[str, Any]:
    """What a reader told last: `ended`, or why it `failed`, and whether because of its `memory`."""
    seconds = settings().reading_seconds
    too_slow = Message("takes longer than {seconds:g} s, the limit (reading_seconds).", seconds=seconds)
    own = {_NESTED: "1", "PAIRLENS_READING_MEMORY_MB": str(memory)}
    process = subprocess.Popen(
        python("pairlens.files.apart.program", request),
        stdin=subprocess.PIPE, stdout=answer, stderr=messages, env=environment({**os.environ, **own}),
    )  # fmt: skip
    end = time.monotonic() + seconds
    try:
        while process.poll() is None:
            watch(_last(messages))
            if time.monotonic() > end:
                return {"failed": too_slow}
            with suppress(subprocess.TimeoutExpired):
                process.wait(_EVERY_SECONDS)
    finally:
        process.kill()
        process.wait()
        if process.stdin:
            process.stdin.close()
    last = _last(messages) or {}
    if "failed" in last or ("ended" in last and not process.returncode):
        return last
    if process.returncode == -signal.SIGXCPU:
        return {"failed": too_slow}
    tail = os.pread(messages, _LOGGED_BYTES, max(0, os.fstat(messages).st_size - _LOGGED_BYTES)).decode(
        errors="replace"
    )
    log.warning("the reader of %s ended with status %s: %s", where, process.returncode, tail)
    return {"failed": _UNUSABLE, "memory": True}  # perhaps because of it


@contextmanager
def _turn(alone: bool, watch: Watch, where: str) -> Iterator[int]:
    """Wait until this may read beside others here, or `alone`; its memory in MB. InputError after too long."""
    from filelock import FileLock

    memory, end = settings().reading_memory_mb, time.monotonic() + settings().reading_seconds
    folder = settings().cache / "readers"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    locks = [FileLock(folder / f"{place}.lock") for place in range(1 + _AT_ONCE)]
    try:
        # Whoever wants to be alone takes the first lock before all others: two would wait for each other.
        for choice in [[lock] for lock in locks] if alone else [locks[1:]]:
            while not any(map(_taken, choice)):
                if time.monotonic() > end:
                    raise InputError(Message("others are reading large files: try again in a few minutes."), where)
                watch(None)
                time.sleep(_EVERY_SECONDS)
        yield memory if alone else memory // _AT_ONCE
    finally:
        for lock in locks:
            lock.release()


def _taken(lock: FileLock) -> bool:
    """Whether a lock is ours now, or cannot be made: a home that nobody can write to has no visitors."""
    from filelock import Timeout

    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    except OSError:
        pass
    return True


def _last(messages: int) -> dict[str, Any] | None:
    """What a reader told last. Its place in the file is its own: looking there must not move it."""
    tail = os.pread(messages, _TOLD_BYTES, max(0, os.fstat(messages).st_size - _TOLD_BYTES))
    for line in reversed(tail.splitlines()):
        with suppress(ValueError):
            if isinstance(known := json.loads(line), dict):
                return known
    return None

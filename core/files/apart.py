"""Programs in a process of their own, which can be stopped and may crash: they read files that nobody has looked at.

printed                 runs one and gives what it printed
bound, say              for the program itself: its limits, how far it is
end, fail               that its answer is whole, or why there is none
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from core.errors import InputError
from core.messages import Message, packed, unpacked
from core.settings import ROOT, settings

if TYPE_CHECKING:
    from filelock import FileLock

log = logging.getLogger(__name__)

Watch = Callable[[Any], object]
"""Called a few times a second with what the program said last (`say`), None before; it may raise to end it."""

_EVERY_SECONDS = 0.2
_AT_ONCE = 4
_NESTED = "PAIRLENS_READER"
"""Set in such a process: what it starts shares its turn."""
_SAID_BYTES = 1 << 20
_LOGGED_BYTES = 4_000
_MB = 1 << 20


@contextmanager
def printed(
    program: str,
    arguments: Sequence[str],
    where: str,
    unusable: str,
    too_slow: str,
    seconds: float,
    watch: Watch | None = None,
) -> Iterator[TextIO]:
    """What `python -m PROGRAM ARGUMENTS` printed, as a file.

    InputError about the place `where`: as the program gave it to `fail`, `too_slow` if it took longer than `seconds`,
    `unusable` if it ended in another way before it called `end`; the log says in which. It ends with this process.
    """
    command = [sys.executable, "-m", program, *arguments]
    for alone in (False, True):
        with (
            _turn(alone, seconds, watch, where) as memory,
            tempfile.TemporaryFile("w+", encoding="ascii") as rows,
            tempfile.TemporaryFile() as said,
        ):
            own = {_NESTED: "1", "PAIRLENS_READING_MEMORY_MB": str(memory)}
            process = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=rows, stderr=said, env={**os.environ, **own},
                process_group=0 if watch else None,
            )  # fmt: skip
            try:
                _wait(process, seconds, watch, said.fileno())
            except subprocess.TimeoutExpired:
                raise InputError(too_slow, where) from None
            finally:
                _end(process, together=watch is not None)
            last = _last(said.fileno()) or {}
            crashed = "failed" not in last and (process.returncode or "ended" not in last)
            late = process.returncode == -signal.SIGXCPU
            if memory < settings().reading_memory_mb and (last.get("memory") or (crashed and not late)):
                continue  # once more, with all the memory that readers may have
            if "failed" in last:
                raise InputError(unpacked(last["failed"]), "" if last["placed"] else where)
            if crashed:  # the status is 0, too, if somebody else asked for it first
                tail = _tail(said.fileno(), _LOGGED_BYTES).decode(errors="replace")
                log.warning("%s, of %s, ended with status %s: %s", program, where, process.returncode, tail)
                raise InputError(too_slow if late else unusable, where)
            if watch:
                watch(last)
            rows.seek(0)
            yield rows
            return


@contextmanager
def _turn(alone: bool, seconds: float, watch: Watch | None, where: str) -> Iterator[int]:
    """Wait until this may read beside others of this home, or `alone`; gives its memory in MB.

    All together have `reading_memory_mb`. InputError after so many seconds.
    """
    memory, end = settings().reading_memory_mb, time.monotonic() + seconds
    if _NESTED in os.environ:
        yield memory
        return
    from filelock import FileLock

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
                if watch:
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


def _wait(process: subprocess.Popen[bytes], seconds: float, watch: Watch | None, said: int) -> None:
    if watch is None:
        process.wait(seconds)
        return
    end = time.monotonic() + seconds
    while True:
        watch(_last(said))
        try:
            process.wait(_EVERY_SECONDS)
            return
        except subprocess.TimeoutExpired:
            if time.monotonic() > end:
                raise


def _end(process: subprocess.Popen[bytes], *, together: bool) -> None:
    if together and process.poll() is None:  # later, the id may be another group's
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()
    if process.stdin:
        process.stdin.close()


def _last(said: int) -> dict[str, Any] | None:
    """What a program said last. Its place in the file is the program's own: reading must not move it."""
    for line in reversed(_tail(said, _SAID_BYTES).splitlines()):
        with suppress(ValueError):
            if isinstance(found := json.loads(line), dict):
                return found
    return None


def _tail(said: int, most: int) -> bytes:
    return os.pread(said, most, max(0, os.fstat(said).st_size - most))


def say(**known: Any) -> None:
    """Tell the process that started this one how far it is."""
    sys.stderr.write(json.dumps(known) + "\n")
    sys.stderr.flush()


def end() -> int:
    """Tell it that what was printed is whole; returns the exit status."""
    sys.stdout.flush()
    say(ended=True, took=_most_mb())
    return 0


def fail(message: str, *, placed: bool = False, memory: bool = False) -> int:
    """Tell it why there is no answer; returns the exit status.

    `placed`: the message says where itself; `memory`: with more of it there might be one.
    """
    say(failed=packed(message), placed=placed, memory=memory)
    return 1


def _most_mb() -> int:
    """The most memory that this process had; 0 where the system does not tell."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) // 1024
    return 0


def bound(memory_mb: int, seconds: float = 0.0) -> None:
    """Allow `memory_mb` beyond what the interpreter has, and some processor time, where the system can; end with
    the process that started this one.
    """
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        import resource

        if seconds:
            _lower(resource.RLIMIT_CPU, int(seconds) + 1)
        in_use = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        return
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

"""Child processes of the project, forked from one that has imported what they need: a tenth of a second, not three.

    with forked.children(): ...     jobs, and readers of large files, that this process starts meanwhile
    forked.call(function, ...)      what the function returns in a process where nothing else happens
    python -m tests.forked ...      the same for a whole server: `streamlit` with these arguments

They are processes as in daily use, with an environment, output and limits of their own, which can be killed; they
end with whoever started them. Where a process itself is the subject, it is started as usual.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import reduction, spawn
from subprocess import DEVNULL, PIPE, STDOUT, TimeoutExpired
from threading import Lock
from typing import IO, Any, TypeVar
from unittest.mock import patch

T = TypeVar("T")
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.preloaded"])


def end_with_parent() -> None:
    """This process ends when the one that started it does, however that ends; only Linux can do that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


class Popen:
    """What the project and its tests use of `subprocess.Popen`, for `[sys.executable, "-m", MODULE, *ARGUMENTS]`,
    perhaps with `-P` before it, and `[sys.executable, "-c", CODE, *ARGUMENTS]`. A piped output is text.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str],
        stdout: IO[bytes] | int = DEVNULL,
        stderr: IO[bytes] | int = STDOUT,
        cwd: object = None,
        stdin: int = DEVNULL,
        start_new_session: bool = False,
        text: bool = True,
    ) -> None:
        self.args = command
        command = [word for word in command if word != "-P"]
        reading, writing = os.pipe()
        answers, answering = os.pipe()
        started, starting = os.pipe()
        output = answering if stdout == PIPE else _number(stdout)
        errors = output if stderr == STDOUT else _number(stderr)
        files = [_Handed(file) for file in (reading, output, errors, starting)]
        arguments = (command[1], [*map(str, command[2:])], dict(env), files, start_new_session)
        self._process = _SERVER.Process(target=_run, args=arguments, daemon=True)
        with _starting, patch.object(spawn, "get_preparation_data", _without_main):
            self._process.start()
        for end in (reading, answering, starting):
            os.close(end)
        os.read(started, 1)  # until the child is the head of its session: what is done to that must not hit ours
        os.close(started)
        self.stdin = os.fdopen(writing, "wb") if stdin == PIPE else os.close(writing)
        self.stdout = os.fdopen(answers, encoding="utf-8") if stdout == PIPE else os.close(answers)
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int | None:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise TimeoutExpired(self.args, timeout or 0.0)
        return self._process.exitcode

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        with self.stdout:
            written = self.stdout.read()
        self.wait(timeout)
        return written, None

    def kill(self) -> None:
        self._process.kill()

    def terminate(self) -> None:
        self._process.terminate()


_starting, _prepared = Lock(), spawn.get_preparation_data


def _without_main(name: str) -> dict[str, Any]:
    """The main module is that of whoever asks, perhaps a page: the child has its own."""
    return {key: value for key, value in _prepared(name).items() if not key.startswith("init_main")}


class _Handed:
    """An open file that the child gets too."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (reduction.DupFd(self.number),)


def _received(handed: Any) -> int:
    return int(handed.detach())


_NOTHING = os.open(os.devnull, os.O_RDWR)


def _number(file: IO[bytes] | int) -> int:
    return _NOTHING if file == DEVNULL else file if isinstance(file, int) else file.fileno()


def _run(how: str, command: Sequence[str], env: Mapping[str, str], files: Sequence[int], session: bool) -> None:
    """As `python -m MODULE ARGUMENTS` or `python -c CODE ARGUMENTS` would."""
    end_with_parent()
    multiprocessing.current_process()._config["daemon"] = False  # or it could have no children of its own
    *files, starting = files
    if session:
        os.setsid()
    os.close(starting)
    _set_environment(env)
    for place, file in enumerate(files):
        os.dup2(file, place)
        os.close(file)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - multiprocessing has closed it
    what, *arguments = command
    sys.argv = ["", *arguments]
    if how == "-c":
        exec(what, {"__name__": "__main__"})
    else:
        runpy.run_module(what, run_name="__main__", alter_sys=True)


def _set_environment(env: Mapping[str, str]) -> None:
    from pairlens.settings import settings

    os.environ.clear()
    os.environ.update(env)
    settings.cache_clear()


def call(function: Callable[..., T], *arguments: object) -> T:
    """What a function of a module returns, or raises, in a process of its own with our environment."""
    with ProcessPoolExecutor(1, _SERVER, _set_environment, (dict(os.environ),)) as pool:
        with _starting, patch.object(spawn, "get_preparation_data", _without_main):
            answer = pool.submit(function, *arguments)
        return answer.result()


@contextmanager
def children() -> Iterator[None]:
    """Jobs and readers that are started meanwhile are forked."""
    from pairlens.files import apart
    from pairlens.store import jobs

    this = sys.modules[__name__]
    with patch.object(jobs, "subprocess", this), patch.object(apart, "subprocess", this):
        yield


if __name__ == "__main__":
    from streamlit.web.cli import main

    from tests import forked

    end_with_parent()
    with forked.children():
        main()

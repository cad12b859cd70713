"""What the tests cost: `pytest -p tests.seconds --seconds=FILE` writes the processor seconds of every test.

A line has the seconds of the test's process and of all its children, ended or not, and the test's name; what a
fixture of the session took stands with the first test that asked for it, collecting as `collection`. Wall clock says
little on a busy machine, and nothing about servers that a test has started.
"""

import os
import resource
import sys
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=Path, help="write the processor seconds of every test to this file")


_last: dict[tuple[int, float], tuple[int, float, float]] = {}
"""Of each child at the last reading, by number and moment of its start: its parent, and what it and those that it
had waited for had spent."""
_unclaimed = 0.0
"""What children had spent that nobody waited for, as those of a parent that ended first."""


def _spent() -> float:
    """Processor seconds of this process and of its children so far.

    A child that has ended stands in the figure of whoever waited for it; if nobody did, its last figure is kept.
    """
    global _unclaimed
    now = dict(filter(None, map(_of_child, psutil.Process().children(recursive=True))))
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    own, waited = (usage.ru_utime + usage.ru_stime for usage in usages)
    this = (os.getpid(), 0.0)
    now[this] = (0, own, waited)
    identities = {pid: (pid, since) for pid, since in _last}
    ended: dict[tuple[int, float], float] = {}
    for identity, (parent, *figures) in _last.items():
        if identity not in now:
            while (heir := identities.get(parent, this)) not in now:
                parent = _last[heir][0]
            ended[heir] = ended.get(heir, 0.0) + sum(figures)
    for heir, seconds in ended.items():
        _unclaimed += max(0.0, seconds - (now[heir][2] - _last[heir][2]))
    _last.clear()
    _last.update(now)
    return _unclaimed + sum(own + waited for _, own, waited in now.values())


def _of_child(child: psutil.Process) -> tuple[tuple[int, float], tuple[int, float, float]] | None:
    try:
        times, parent = child.cpu_times(), child.ppid()
        identity = (child.pid, child.create_time())
    except psutil.Error:
        return None
    return identity, (parent, times.user + times.system, times.children_user + times.children_system)


def _write(config: pytest.Config, name: str, since: float) -> None:
    path = config.getoption("--seconds")
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(f"{_spent() - since:.3f}\t{name}\n")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    since = _spent()
    collected = yield
    _write(session.config, "collection", since)
    return collected


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool | None, bool | None]:
    since = _spent()
    ran = yield
    _write(item.config, item.nodeid, since)
    return ran


def by_folder(path: Path, depth: int = 2) -> dict[str, float]:
    """Seconds by folder of the tests' file, most first: `by_folder(Path("seconds.tsv"))`."""
    seconds: dict[str, float] = {}
    for line in path.read_text("utf-8").splitlines():
        spent, name = line.split("\t")
        folder = "/".join(name.split("::")[0].split("/")[:-1][:depth]) or name
        seconds[folder] = seconds.get(folder, 0.0) + float(spent)
    return dict(sorted(seconds.items(), key=lambda item: -item[1]))


if __name__ == "__main__":
    for folder, spent in by_folder(Path(sys.argv[1])).items():
        print(f"{spent:8.1f}  {folder}")

"""What the tests cost: `pytest -p tests.seconds --seconds=FILE` writes the processor seconds of every test.

A line has the seconds of the test's process and of all its children, ended or not, and the test's name; what a
fixture of the session took stands with the first test that asked for it, collecting as `collection`. Wall clock says
little on a busy machine, and nothing about servers that a test has started.
"""

import resource
import sys
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=Path, help="write the processor seconds of every test to this file")


def _spent() -> float:
    """Processor seconds of this process and of its children so far."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    own = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    return own + sum(map(_of_child, psutil.Process().children(recursive=True)))


def _of_child(child: psutil.Process) -> float:
    try:
        return float(sum(child.cpu_times()[:4]))  # its own and those of its ended children, user and system
    except psutil.Error:
        return 0.0


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

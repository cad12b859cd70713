"""Large files read and checked in a process of its own: the same answers, within limits, and it can be stopped."""

from __future__ import annotations

import gzip
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core.errors import InputError
from core.files.tables import Layout
from core.runs.readers import readers
from core.settings import settings
from core.studies import apart
from core.studies.lint import lint, read_items
from core.tasks import TASKS
from core.tasks.pairs import Roles, with_columns

PAIRS = TASKS["pairs"]
TABLE = "good,bad,number\nThe cat is tired.,The cat are tired.,sg\nDogs are old.,Dogs are old.,pl\nOne.\n,Two.,pl\n"
REQUEST = {"task": apart.named(PAIRS)}


def quiet(_: object) -> None:
    """Watches and says nothing."""


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Any:
    def limit(**values: float) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"PAIRLENS_{name.upper()}", str(value))
        settings.cache_clear()

    yield limit
    monkeypatch.undo()
    settings.cache_clear()


def blank(path: Path, lines: int, first: str = "good,bad\nA cat sleeps.,A cat sleep.\n") -> Path:
    text = (first + "\n" * lines).encode()
    path.write_bytes({".xz": lzma.compress, ".gz": gzip.compress}.get(path.suffix, bytes)(text))
    return path


@pytest.mark.slow
def test_a_process_of_its_own_gives_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(TABLE)
    here = read_items(PAIRS.read, path)
    there = apart.reading(REQUEST, path, quiet)
    assert there == here and here.mistakes.n == 2 and isinstance(there.items, tuple)
    report = lint(here.items, source=path, rows=here.rows, mistakes=here.mistakes)
    told = apart.checked(REQUEST, path, "", quiet)
    assert told.findings.equals(report.findings) and told.summary.equals(report.summary)
    assert told.in_words() == report.in_words()
    assert apart.readers(path, quiet) == readers(path)


@pytest.mark.slow
def test_columns_that_were_named_are_read_there_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("one;two\nA cat sleeps.;A cat sleep.\n")
    task = with_columns(PAIRS, Roles("two", "one"), Layout(";"))
    assert apart.items(task, path, quiet) == [*task.read(path)]


@pytest.mark.slow
def test_what_is_wrong_with_a_file_is_said_as_here(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("good,bad\nA cat sleeps.\n")
    with pytest.raises(InputError) as here:
        list(PAIRS.read(path))
    with pytest.raises(InputError) as there:
        apart.items(PAIRS, path, quiet)
    assert str(there.value) == str(here.value)


@pytest.mark.slow
def test_it_ends_when_its_time_is_over(tmp_path: Path, limits: Callable[..., None]) -> None:
    limits(reading_seconds=0.1)
    with pytest.raises(InputError, match=r"a\.csv: takes longer than 0\.1 s, the limit \(reading_seconds\)"):
        apart.items(PAIRS, blank(tmp_path / "a.csv", 10), quiet)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is bounded on Linux")
def test_it_ends_when_its_memory_is_used_up(tmp_path: Path, limits: Callable[..., None]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("good,bad\n" + f"A cat sleeps{'!' * 900},A cat sleep.\n" * 60_000)
    limits(reading_memory_mb=150)
    with pytest.raises(InputError, match=r"a\.csv: cannot be read within 150 MB of memory"):
        apart.items(PAIRS, path, quiet)


@pytest.mark.slow
def test_it_ends_when_nobody_watches_any_more(tmp_path: Path) -> None:
    """As Streamlit stops a script: the process, and those it started, end with it."""

    class Gone(BaseException):
        pass

    def leave(_: object) -> None:
        raise Gone

    before = children()
    with pytest.raises(Gone):
        apart.items(PAIRS, blank(tmp_path / "a.csv", 1_000_000), leave)
    assert children() <= before


def children() -> set[str]:
    """The ids of this process's children that run."""
    found = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    return set(found.read_text().split()) if found.exists() else set()


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.csv.xz"])
def test_large_is_what_unpacks_to_much(tmp_path: Path, name: str) -> None:
    assert not apart.large(blank(tmp_path / name, 19_998))
    assert apart.large(blank(tmp_path / name, 19_999))
    assert apart.large(tmp_path), "a folder is as large as its files"
    assert apart.large(blank(tmp_path / name, 0, "x" * 2_000_001))
    assert not apart.large(tmp_path / "none")


def test_what_only_its_reader_can_unpack_is_large(tmp_path: Path) -> None:
    pd.DataFrame({"good": ["One."], "bad": ["Two."]}).to_parquet(tmp_path / "a.parquet")
    assert apart.large(tmp_path / "a.parquet")
    for n_bytes in (1_000_000, 2_100_000):
        with zipfile.ZipFile(path := tmp_path / f"{n_bytes}.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("xl/worksheets/sheet1.xml", b" " * n_bytes)
        assert path.stat().st_size < 10_000 and apart.large(path) == (n_bytes > 2_000_000)
    (tmp_path / "b.xlsx").write_bytes(b"no archive")
    assert not apart.large(tmp_path / "b.xlsx")

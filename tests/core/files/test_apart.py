"""Programs that read files: an answer counts if it is whole, and what went wrong otherwise is told and logged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import InputError
from core.files import apart
from core.settings import ROOT

WAITS = """
import os, time
from core.files.apart import bound
bound(1_000)
with open("said", "wb", buffering=0) as said:
    said.write(b"begun")
    time.sleep(15)
    said.write(b", and still there")
"""
STARTS = """
import sys
from pathlib import Path
from core.files import apart
apart.ROOT = Path.cwd()
with apart.printed("program", [], "a.csv", "", "", 60, print):
    pass
"""


@pytest.fixture
def answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What a program of these lines printed."""
    monkeypatch.setattr(apart, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))

    def run(lines: str) -> str:
        (tmp_path / "program.py").write_text(
            f"import os, sys\nfrom core.files.apart import bound, end, fail\n{lines}"
        )
        with apart.printed("program", [], "a.csv", "unusable", "too slow", 60) as rows:
            return rows.read()

    return run


def test_an_answer_counts_only_once_its_program_said_that_it_is_whole(answer: Callable[[str], str]) -> None:
    assert answer("print(1); end()") == "1\n"
    for early in ("print(1, flush=True); os._exit(0)", "print(1); end(); sys.stdout.flush(); os._exit(3)"):
        with pytest.raises(InputError, match=r"a\.csv: unusable"):
            answer(early)


def test_a_crash_is_logged(answer: Callable[[str], str], caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InputError, match=r"a\.csv: unusable"):
        answer("raise ValueError('bug')")
    assert "program, of a.csv, ended with status 1" in caplog.text and "ValueError: bug" in caplog.text


def test_the_reason_is_found_after_many_warnings(answer: Callable[[str], str]) -> None:
    with pytest.raises(InputError, match=r"a\.csv: it is damaged"):
        answer("sys.stderr.write('careful\\n' * 150_000); sys.exit(fail('it is damaged'))")


def test_its_time_is_bounded_where_its_memory_cannot_be(answer: Callable[[str], str]) -> None:
    lines = "from pathlib import Path\nimport resource\nPath.read_text = lambda _: open('none')\n"
    assert answer(lines + "bound(100, 7)\nprint(resource.getrlimit(resource.RLIMIT_CPU)[0]); end()") == "8\n"
    with pytest.raises(InputError, match=r"a\.csv: too slow"):
        answer("bound(1_000, 0.1)\nwhile True: pass")


@pytest.mark.slow
def test_it_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(WAITS)
    os.mkfifo(tmp_path / "said")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with (
        subprocess.Popen([sys.executable, "-c", STARTS], cwd=tmp_path, env=environment, **quiet) as starter,
        (tmp_path / "said").open("rb", buffering=0) as said,
    ):
        assert said.read(5) == b"begun"
        starter.send_signal(signal.SIGKILL)
        assert said.read() == b""

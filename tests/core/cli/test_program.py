"""`pairlens`: the command that is installed, what it completes, and what is said where it is not installed."""

import os
import signal
import subprocess
import sys
import threading
from importlib.metadata import entry_points
from pathlib import Path

import duckdb
import pytest

from pairlens.cli import main
from pairlens.evaluation.command import line
from pairlens.places import FOLDER as ROOT
from pairlens.places import program
from pairlens.tasks import TASKS

pytestmark = pytest.mark.slow

PYTHON = sys.executable
PAIRLENS = Path(PYTHON).with_name("pairlens")

installed = pytest.mark.skipif(not PAIRLENS.exists(), reason="`pip install -e .` was not run here")


def run(*command, folder=ROOT, **environment):
    env = {**os.environ, **environment}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


@installed
def test_the_command_is_the_same_program_from_any_folder_where_it_is_pasted_as_printed(tmp_path):
    (entry,) = entry_points(group="console_scripts", name="pairlens")
    assert entry.load() is main
    listed = ("models", "--format", "json")
    ours, module = run("sh", "-c", line(listed), folder=tmp_path), run(PYTHON, "-m", "pairlens", *listed)
    assert ours.returncode == 0 and ours.stdout == module.stdout and "english-small" in ours.stdout, ours.stderr


@installed
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("zero-s",), {"zero-shot"}),
        (("runs", ""), {"list", "show", "tag", "note", "delete", "restore", "export"}),
        (("zero-shot", "--task", "b"), {name for name in TASKS if name.startswith("b")}),
        (("score", "--model", "english-"), {"english-small", "english-seq2seq"}),
    ],
    ids=["verbs", "verbs of a verb", "tasks", "models"],
)
def test_the_tab_key_completes(words, expected, monkeypatch, capsys):
    """What the Tab key offers after these words in bash."""
    monkeypatch.setenv("_PAIRLENS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", " ".join(["pairlens", *words]))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    with pytest.raises(SystemExit):
        main([])
    assert set(capsys.readouterr().out.split()) == expected


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """The folder of an interpreter without our command beside it, and a path without it."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def executable(path):
    path.touch(0o755)
    return path


def test_it_is_called_by_its_module_its_path_or_where_the_shell_finds_it_its_name(nowhere, monkeypatch):
    executable(nowhere.parent / "pairlens")  # another installation's
    assert program() == "PYTHONPATH=core python -m pairlens"
    assert line(["score", "It's late."]) == """PYTHONPATH=core python -m pairlens score 'It'"'"'s late.'"""
    ours = executable(nowhere / "pairlens")
    assert program() == "pairlens" and line(["models"]) == f"{ours} models"
    (nowhere.parent / "pairlens").unlink()
    assert line(["models"]) == f"{ours} models"
    monkeypatch.setenv("PATH", str(nowhere))
    assert line(["models"]) == "pairlens models"


def test_completion_is_offered_only_where_there_is_a_command_to_complete(nowhere):
    code = "import sys; sys.executable = sys.argv.pop(); from pairlens.cli import main; sys.exit(main(['--help']))"
    helps = [run(PYTHON, "-c", code, start).stdout for start in (str(nowhere / "python"), PYTHON)]
    assert ["--install-completion" in one for one in helps] == [False, PAIRLENS.exists()]


def test_ctrl_c_within_a_query_stops_as_anywhere_else(monkeypatch, capsys):
    def query(*_, **__):
        threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        duckdb.execute("select sum(a.range * b.range) from range(1000000) a, range(3000) b")

    monkeypatch.setattr("pairlens.cli.app", query)
    assert main(["models"]) == 130
    assert capsys.readouterr().err.startswith("pairlens: Stopped. What was scored is stored;")

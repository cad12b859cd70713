"""The package that people import: what it offers, what it leaves alone, and its notebooks."""

import json
import os
import pkgutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import pairlens
from pairlens.places import FOLDER, bundled, environment, python
from tests import forked

LONG = """
from pairlens.api.asking import Asking
from pairlens.policies import Policy
from pairlens.scoring.into_store import Progress

steps = [Progress(10, done, 0, done, seconds) for done, seconds in [(1, 0.5), (5, 2.5), (10, 4.0)]]
last = Asking(Policy()).finish(steps)
"""
"""What takes more than a second shows a bar."""
SHELL = """
import json, os, sys
import nbformat
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell

os.chdir(sys.argv[1])
HistoryManager.enabled = False
shell, shown = InteractiveShell.instance(), []
shell.kernel, shell.display_formatter.active_types = None, shell.display_formatter.format_types  # as in Jupyter
shell.display_trap.hook, shell.display_pub = CapturingDisplayHook(shell, shown), CapturingDisplayPublisher()
shell.display_pub.outputs = shown
for cell in nbformat.read("book.ipynb", 4).cells:
    if cell.cell_type == "code":
        shell.run_cell(cell.source).raise_error()
with open("shown.json", "w", encoding="utf-8") as file:
    json.dump([output["data"] for output in shown], file)
"""
NOTEBOOKS = sorted((FOLDER / "docs" / "notebooks").glob("*.ipynb"))


def test_no_call_is_hidden_by_a_wing_of_its_name_and_importing_it_changes_nothing_outside():
    wings = {wing.name for wing in pkgutil.iter_modules(pairlens.__path__)}
    assert len(wings) > 20 and not wings & {*pairlens.__all__}
    assert {*pairlens.__all__} <= {*dir(pairlens)}
    assert all(getattr(pairlens, name) is not None for name in pairlens.__all__)
    with pytest.raises(AttributeError, match="no attribute 'comparre'"):
        pairlens.comparre  # noqa: B018
    code = (
        "import json, os, sys; before = [dict(os.environ), list(sys.path)]; import pairlens; pairlens.compare; "
        "print(json.dumps([before == [dict(os.environ), list(sys.path)], "
        "sorted({name.partition('.')[0] for name in sys.modules} & {'core', 'pages', 'workshop', 'tests'})]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [True, []]


@pytest.mark.slow
def test_a_child_looks_for_no_modules_in_the_folder_where_it_runs(tmp_path):
    """Also without an installed package: by the paths that it is given."""
    for name in ("types", "pairlens", "pandas"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('this is somebody else’s file')")
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = python("pairlens", "models", "--format", "json")
    done = subprocess.run(command, cwd=tmp_path, env=environment(bare), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "english-small" in done.stdout


def test_jupyter_finds_the_dashboard_by_its_entry_point_and_what_comes_along_is_in_one_place():
    """`make soak` clicks its tile."""
    (tile,) = entry_points(group="jupyter_serverproxy_servers", name="pairlens")
    server = tile.load()()
    assert Path(server["launcher_entry"]["icon_path"]).is_file()
    assert str(FOLDER / "app.py") in server["command"] and "{port}" in server["command"]
    assert (bundled("models", "english-small") / "model.safetensors").is_file()
    assert (FOLDER / "app.py").is_file() and (FOLDER / "pages").is_dir()


def in_shell(book, folder):
    """All outputs of a notebook, its cells run by IPython's shell in a child that is there already."""
    nbformat.write(book, folder / "book.ipynb")
    command = [sys.executable, "-c", SHELL, str(folder)]
    ended, _ = forked.Popen(command, env=os.environ, stdout=subprocess.PIPE).communicate()
    assert (folder / "shown.json").is_file(), ended
    return json.loads((folder / "shown.json").read_text("utf-8"))


def in_jupyter(book, folder):
    """The same in Jupyter's kernel."""
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return [output.data for cell in book.cells for output in cell.get("outputs", []) if "data" in output]


@pytest.mark.model
@pytest.mark.parametrize("run", [in_shell, pytest.param(in_jupyter, marks=pytest.mark.soak)])
def test_the_notebooks_run(run, tmp_path, home, monkeypatch):
    """One after another in one process, which takes longer to start than their models to answer."""
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    books = [nbformat.read(path, 4) for path in NOTEBOOKS]
    assert len(books) == 3
    for book in books:
        installing = next(cell for cell in book.cells if cell.cell_type == "code")
        assert installing.source.startswith("%pip install -q pairlens")
        assert all(cell.outputs for cell in book.cells if "expected(" in cell.source), "it was not executed"
        book.cells.remove(installing)  # `make release` executes it
    books.append(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LONG)]))
    shown = run(nbformat.v4.new_notebook(cells=[cell for book in books for cell in book.cells]), tmp_path)
    assert sum("text/html" in data for data in shown) > 8
    assert "<progress style='width:60ex' max='10' value='10'>" in shown[-1]["text/html"]
    assert any("Prefers A by" in data.get("text/html", "") for data in shown)

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

LONG = """
from pairlens.api.asking import Asking
from pairlens.policies import Policy
from pairlens.scoring.into_store import Progress

Asking(Policy()).finish(Progress(10, done, 0, done, seconds) for done, seconds in [(1, 0.5), (5, 2.5), (10, 4.0)]);
"""
"""What takes more than a second shows a bar."""
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


@pytest.mark.model
def test_the_notebooks_run(tmp_path, home, monkeypatch):
    """One after another in one kernel, which takes longer to start than their models to answer."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    books = [nbformat.read(path, 4) for path in NOTEBOOKS]
    assert len(books) == 3
    for book in books:
        installing = next(cell for cell in book.cells if cell.cell_type == "code")
        assert installing.source.startswith("%pip install -q pairlens")
        assert all(cell.outputs for cell in book.cells if "expected(" in cell.source), "it was not executed"
    books.append(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LONG)]))
    whole = nbformat.v4.new_notebook(cells=[cell for book in books for cell in book.cells])
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(whole, timeout=300, kernel_name="python3", resources=resources).execute()
    shown = [output.data for cell in whole.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("text/html" in data for data in shown) > 8
    assert "<progress style='width:60ex' max='10' value='10'>" in shown[-1]["text/html"]
    assert any("Prefers A by" in data.get("text/html", "") for data in shown)

"""User files for tests, and other limits than the usual ones."""

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from pairlens.places import FOLDER as ROOT
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings


@pytest.fixture
def save(tmp_path):
    """`save("a.csv", "text", encoding="utf-8")` or `save("a.csv", b"bytes")`: the path of a new file."""

    def make(name, content, encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return make


@pytest.fixture
def limit(monkeypatch):
    """`limit("max_rows", 3)`: another limit for this test."""

    def change(name, value):
        monkeypatch.setenv(f"PAIRLENS_{name.upper()}", str(value))
        settings.cache_clear()

    return change


@pytest.fixture
def published():
    """A test of a file that uses `unpublished` is about the tables for other programs."""


@pytest.fixture
def unpublished(request, monkeypatch):
    """Finished runs leave the tables for other programs as they are: nothing here is asked in SQL."""
    if "published" not in request.fixturenames:
        monkeypatch.setattr("pairlens.evaluation.evaluate.catalog.publish", lambda store: None)


@pytest.fixture(scope="module")
def once():
    """What a file's first test has made, for those after it: a dictionary."""
    return {}


@pytest.fixture(scope="module")
def opened_once():
    """A model that a test of the file has opened stays open for all that ask for the same scores."""
    opening, kept = Recipe.open, {}

    def opened(recipe):
        if recipe.fingerprint not in kept:
            kept[recipe.fingerprint] = opening(recipe)
        return kept[recipe.fingerprint]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recipe, "open", opened)
        yield


@pytest.fixture
def cli(capsys):
    """`pairlens("score", "A text.")`: status, output and errors of the command line, run in this process."""
    from pairlens.cli import main

    def run(*arguments):
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run


def in_catalogue(home, tiny, architecture):
    """The name of a tiny model in the catalogue."""
    folder = Path(shutil.copytree(tiny(architecture), home / "models" / architecture))
    kind = "masked" if architecture == "bert" else "causal"
    (folder / "card.json").write_text(json.dumps({"kind": kind, "language": "en"}))
    return architecture


@pytest.fixture
def model(home, tiny):
    """`model("llama")`, `model("bert")`: the same in this test's home."""
    return partial(in_catalogue, home, tiny)


@pytest.fixture
def few_examples(tmp_path):
    """The first four examples of each task of our StereoSet sample, as the original's JSON."""
    document = json.loads((ROOT / "data" / "samples" / "stereoset" / "dev.json").read_text("utf-8"))
    document["data"] = {task: entries[:4] for task, entries in document["data"].items()}
    path = tmp_path / "dev.json"
    path.write_text(json.dumps(document), "utf-8")
    return path

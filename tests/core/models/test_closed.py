"""Which models a process that serves visitors finds: the catalogue's, and those that the operator names."""

import shutil
from itertools import product

import pytest

from pages.components.zero_shot.show_checkpoints import _refuse_closed
from pairlens import sharing
from pairlens.errors import ModelError
from pairlens.files import apart
from pairlens.models import find, trial
from pairlens.models.inventory import offer
from pairlens.places import FOLDER as ROOT
from pairlens.scoring.checkpoints import checkpoints, holds_checkpoints
from pairlens.settings import settings
from tests import forked
from tests.refusals import error_of

BUNDLED = ROOT / "data" / "models" / "unigram-english"


@pytest.fixture(autouse=True)
def shared(monkeypatch, tmp_path):
    """Visitors may name models in this folder."""
    monkeypatch.setenv("PAIRLENS_ALLOWED", f"{tmp_path}/open,some-lab/tiny")
    settings.cache_clear()
    (tmp_path / "open").mkdir()
    monkeypatch.setattr(trial, "_passed", set())
    sharing.share("a test")
    return tmp_path / "open"


def test_what_is_not_named_is_refused():
    places = "./data/models/unigram-english", "data/models/x/../unigram-english", "~/model", "file:///etc"
    for sources, said in (
        ((str(BUNDLED), *places), "read only from folders that its operator names"),
        (
            ("data/models", "some-lab/other", "gpt2"),
            "Models on the hub cannot be named here: this dashboard is shared",
        ),
        (("unigram-englsh",), "There is no model 'unigram-englsh'. Did you mean 'unigram-english'?"),
    ):
        for source, look in product(sources, (find, offer, checkpoints)):
            assert said in error_of(lambda look=look, source=source: look(source), ModelError)


def test_what_is_named_is_found_checkpoints_nowhere_else_and_each_revision_of_a_sweep_must_be_open(
    shared, tmp_path, monkeypatch
):
    (shared / "counts").symlink_to(BUNDLED)
    assert find("unigram-english").kind == "unigram"
    with pytest.raises(ModelError, match="read only from folders"):
        find(shared / "counts")
    (shared / "counts").unlink()
    shutil.copytree(BUNDLED, shared / "counts")
    assert find(shared / "counts").kind == "unigram"
    with pytest.raises(ModelError, match="Pairlens is offline"):
        find("some-lab/tiny@v1")
    for folder in (tmp_path / "elsewhere", shared):
        (folder / "chck_1M").mkdir(parents=True)
        (folder / "chck_1M" / "config.json").write_text("{}")
    assert holds_checkpoints(str(shared)) and not holds_checkpoints(str(tmp_path / "elsewhere"))
    sharing._SHARED.clear()
    assert find(str(BUNDLED)).kind == "unigram", "where nobody else is served everything is found"
    monkeypatch.setenv("PAIRLENS_ALLOWED", "org/name@one,org/all")
    settings.cache_clear()
    sharing.share("a test")
    _refuse_closed("org/name@one", "one")
    _refuse_closed("org/all", "one, chck_*")
    for which in ("two", "one, two", "chck_*", "all"):
        with pytest.raises(ModelError):
            _refuse_closed("org/name@one", which)


def test_what_takes_too_much_to_load_is_refused_in_a_process_of_its_own(copy, shared, monkeypatch):
    large, model = (find(copy(name, f"open/{name}")) for name in ("gpt2", "llama"))  # transformers makes the first
    for limit, value, sentence in (
        ("PAIRLENS_READING_SECONDS", "0.1", r"takes longer than 0\.1 s, the limit \(reading_seconds\)"),
        ("PAIRLENS_READING_MEMORY_MB", "60", "cannot be read"),
    ):
        monkeypatch.setenv(limit, value)
        settings.cache_clear()
        with pytest.raises(ModelError, match=sentence):
            trial.try_apart(large)
        monkeypatch.delenv(limit)
    settings.cache_clear()
    with forked.children():
        trial.try_apart(model)
    monkeypatch.setattr(apart, "read", lambda *_, **__: pytest.fail("tried twice, or where nobody else is"))
    trial.try_apart(model)
    monkeypatch.setattr(trial, "_passed", set())
    monkeypatch.setattr(sharing, "is_shared", lambda: False)
    trial.try_apart(model)

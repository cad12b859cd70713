"""Opening a page as a visitor does who follows a link."""

import gzip
import json
import shutil
from functools import partial

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.shared import frame, resources
from pairlens.errors import InputError
from pairlens.evaluation.readers import readers
from pairlens.files import apart
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from tests import forked
from tests.quick_pages import quick_pages  # noqa: F401
from tests.tiny import tiny_model


@pytest.fixture(scope="module", autouse=True)
def _jobs_are_forked():
    """What a page starts need not import torch anew."""
    with forked.children():
        yield


@pytest.fixture(scope="module")
def lasting_home(tmp_path_factory):
    """One home for all tests of a module that has it as its `home_folder`: what pages computed is still there."""
    yield tmp_path_factory.mktemp("lasting") / "home"
    st.cache_resource.clear()


@pytest.fixture
def home_folder(request, tmp_path):
    """A fresh one, or the module's, which says that it is LASTING."""
    return request.getfixturevalue("lasting_home") if hasattr(request.module, "LASTING") else tmp_path / "home"


@pytest.fixture
def visit_page(unigram, monkeypatch):
    """`visit_page("zero_shot", data=PATH)`: a page as opened by a link with these parameters.

    To AppTest every run is the first of a server: the frame would start each again, and lose the clicks.
    """
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)

    def open_page(name: str, **params: str | list[str]) -> AppTest:
        page = AppTest.from_file(str(ROOT / "app.py"))
        page.switch_page(f"pages/{name}.py")
        for key, value in {"model_name": unigram, **params}.items():
            page.query_params[key] = value
        return page.run()

    return open_page


@pytest.fixture
def visit(visit_page, request):
    """`visit(data=...)`: the PAGE of a module as opened by a link with these parameters."""
    return partial(visit_page, request.module.PAGE)


@pytest.fixture
def second(unigram, home):
    """Another model in the catalogue: it knows *are* and *was* better than *is*."""
    folder = home / "models" / "other-unigram"
    shutil.copytree(home / "models" / unigram, folder, dirs_exist_ok=True)
    with gzip.open(folder / "counts.tsv.gz", "at", encoding="utf-8") as stream:
        stream.write("these\t4\nthis\t1\nthose\t3\nthat\t9\nwas\t400\n")
    card = folder / "card.json"
    card.write_text(card.read_text().replace(unigram, folder.name))
    return folder.name


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory):
    """A causal and a masked model with cards, made once."""
    folder = tmp_path_factory.mktemp("models")
    for name, architecture, kind in (("tiny-causal", "llama", "causal"), ("tiny-masked", "bert", "masked")):
        tiny_model(folder / name, architecture)
        card = {"kind": kind, "description": "Random weights.", "characters": "".join(map(chr, range(32, 127)))}
        (folder / name / "card.json").write_text(json.dumps(card))
    return folder


@pytest.fixture
def compare_page(checkpoints, home, monkeypatch):
    """`compare_page(model=..., a=..., b=...)`: Compare, with which the app opens, as opened by such a link.

    To AppTest every run is the first of a server: the frame would start each again, and lose the clicks.
    """
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)
    home.mkdir(parents=True, exist_ok=True)
    if not settings().models.exists():  # in a lasting home it is there
        settings().models.symlink_to(checkpoints, target_is_directory=True)

    def open_page(**params: str | list[str]) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"))
        for name, value in ({"model": "tiny-causal"} | params).items():
            app.query_params[name] = value
        return app.run()

    return open_page


@pytest.fixture
def unreadable(monkeypatch):
    """`unreadable("mine.csv")`: a file of this name is large, and the process that reads it ends early."""

    def make(name: str) -> None:
        def refuse(reader: object, *_: object, **__: object) -> list[str]:
            if reader is readers:
                return []
            raise InputError("cannot be read: the process that read it ended early; the log says more.", name)

        monkeypatch.setattr(resources, "large", lambda path: path.name == name or (path / name).exists())
        monkeypatch.setattr(apart, "read", refuse)

    return make

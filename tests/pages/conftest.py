"""Opening a page as a visitor does who follows a link."""

import gzip
import json
import shutil
from functools import cache, partial

import pytest
import streamlit as st
from altair.utils import schemapi
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from pages.components.shared import frame, resources
from pairlens.errors import InputError
from pairlens.evaluation.readers import readers
from pairlens.files import apart
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from tests import forked
from tests.tiny import tiny_model


@pytest.fixture(scope="session", autouse=True)
def _packages_looked_through_once():
    """Every AppTest reads what is written about each installed package, in search of Streamlit components."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def _jobs_are_forked():
    """What a page starts need not import torch anew."""
    with forked.children():
        yield


@pytest.fixture(scope="session", autouse=True)
def _pages_run_to_their_end():
    """AppTest looks through all that a page has sent, a thousand times a second, for whether it has ended.

    And it gives up where the machine is busy.
    """

    def wait(runner: LocalScriptRunner, _: float) -> None:
        runner._script_thread.join(300)
        assert not runner._script_thread.is_alive(), "a page does not end"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield


@pytest.fixture(scope="session", autouse=True)
def _each_chart_checked_once():
    """Every run of a page makes its charts anew, and altair takes a tenth of its time to check the same again."""
    check, sound = schemapi._get_errors_from_spec, {}

    def check_once(spec: object, schema: dict, rootschema: dict | None = None) -> list:
        key = (id(schema), json.dumps(spec, sort_keys=True, default=repr))
        if key in sound:
            return []
        errors = check(spec, schema, rootschema=rootschema)
        if not errors:
            sound[key] = schema  # kept, or its id might be another's later
        return errors

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schemapi, "_get_errors_from_spec", check_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def _quick_copies_and_scripts():
    """Altair copies charts again and again, with all of a hundred fields that nobody has set; and every AppTest
    compiles the scripts anew, which a server does once.
    """
    copied, kinds = schemapi._deep_copy, (schemapi.SchemaBase, list, dict)

    def copy(obj: object, by_ref: set[str]) -> object:
        if type(obj) is dict:
            return {k: copy(v, by_ref) if isinstance(v, kinds) and k not in by_ref else v for k, v in obj.items()}
        if not isinstance(obj, schemapi.SchemaBase) or hasattr(obj, "__deepcopy__"):
            return copied(obj, by_ref)
        fields = copy(obj._kwds, by_ref)
        with schemapi.debug_mode(False):
            return obj.__class__(*(copy(argument, by_ref) for argument in obj._args), **fields)

    scripts = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schemapi, "_deep_copy", copy)
        patch.setattr(local_script_runner, "ScriptCache", lambda: scripts)
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

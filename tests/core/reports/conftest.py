"""Finished runs, made when the first test of a file asks for one."""

import shutil

import pytest

import pairlens
from pairlens.evaluation.evaluate import Context, data_name, run
from pairlens.evaluation.requests import plan
from pairlens.evaluation.result import read
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.tasks import TASKS

SAMPLES = ROOT / "data" / "samples"


@pytest.fixture(scope="module", autouse=True)
def opened_once(opened_once):
    """For all files here, where nothing is asked in SQL."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pairlens.evaluation.evaluate.catalog.publish", lambda store: None)
        yield


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The store of a file's runs, which tests only read."""
    return Store(tmp_path_factory.mktemp("store"), shipped=None)


@pytest.fixture
def own(store, home):
    """`own()`: a copy of it in this test's home, to be changed."""
    return lambda: Store(shutil.copytree(store.folder, settings().store, dirs_exist_ok=True), shipped=None)


@pytest.fixture(scope="module")
def finished():
    return {}


@pytest.fixture
def stored(store, finished, unigram):
    """`stored("blimp", items, ties="wrong")`: a run of a small unigram model or another, on a sample or on items."""

    def make(task, items=(), *, model=unigram, like="pairlens", data=None, scorer=None, title="", **choices):
        key = repr((task, items, model, like, data, scorer, title, choices))
        if key not in finished:
            path, policy = data or SAMPLES / task, preset_for(like, TASKS[task].sets).but(**choices)
            planned = plan(TASKS[task], items or list(TASKS[task].read(path)), pairlens.recipe(model, policy=policy))
            *_, last = run(planned, Context(store, data=data_name(path), title=title, scorer=scorer))
            finished[key] = read(store, last.run_id)
        return finished[key]

    return make

"""Models that several threads load at once: each is whole, as if it had been loaded alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch

from core import api
from core.models import find, load
from core.models.loading import load_window
from core.models.pooled import PooledClassifier, load_base
from core.settings import ROOT, settings

pytestmark = pytest.mark.model

NAMES = ("english-small", "bilingual-masked", "english-seq2seq")
PAIR = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")
ROUNDS = 3


def at_once(calls: list[Callable[[], object]]) -> list[object]:
    """What these return, each called by a thread of its own, all at the same moment."""
    ready = Barrier(len(calls))

    def call(one: Callable[[], object]) -> object:
        ready.wait()
        return one()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))


FRESH = """
from threading import Barrier, Thread
from core.models import find, load
found, ready = [], Barrier(4)
def go(name):
    ready.wait()
    found.append(load(find(name), find(name).kind).name)
names = ["english-small", "bilingual-masked", "english-seq2seq", "bilingual-entailment"]
threads = [Thread(target=go, args=[name]) for name in names]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert sorted(found) == sorted(names), found
"""


def test_the_first_models_of_a_process_may_be_loaded_by_several_threads():
    done = subprocess.run([sys.executable, "-c", FRESH], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_a_head_is_built_in_single_precision_whatever_is_usual_at_the_moment():
    alone, model = weights("bilingual-entailment"), find("bilingual-entailment")
    torch.set_default_dtype(torch.bfloat16)  # as another thread's loading does
    try:
        built = PooledClassifier(load_base(find("bilingual-masked")), 0, 3)
        found = load(model, model.kind).module.state_dict()
    finally:
        torch.set_default_dtype(torch.float32)
    assert built.dense.weight.dtype == built.out.bias.dtype == torch.float32
    assert all(torch.equal(found[key], alone[key]) for key in alone)


def weights(name: str) -> dict[str, torch.Tensor]:
    model = find(name)
    return load(model, model.kind).module.state_dict()


def test_networks_that_threads_build_at_once_are_those_built_alone():
    alone = {name: weights(name) for name in NAMES}
    for _ in range(ROUNDS):
        names = [*NAMES, *NAMES]
        for name, found in zip(names, at_once([lambda name=name: weights(name) for name in names]), strict=True):
            assert isinstance(found, dict) and found.keys() == alone[name].keys()
            assert all(torch.equal(found[key], alone[name][key]) for key in found)


def test_a_head_and_its_base_are_built_beside_each_other():
    names = ["bilingual-entailment", "bilingual-masked", "bilingual-next-sentence", "english-small"]
    alone = {name: weights(name) for name in names}
    for name, found in zip(names, at_once([lambda name=name: weights(name) for name in names]), strict=True):
        assert all(torch.equal(found[key], alone[name][key]) for key in alone[name])


def test_a_window_is_read_off_an_architecture_while_another_thread_loads():
    model, other = find("english-small"), find("bilingual-masked")
    window, loaded = at_once([lambda: load_window(model), lambda: load(other, other.kind)])
    assert window == load(model, model.kind).window
    assert not [name for name, weight in loaded.module.named_parameters() if weight.is_meta]


@pytest.mark.usefixtures("home")
def test_the_library_compares_in_several_threads(tmp_path, monkeypatch):
    alone = {name: api.compare(*PAIR, name) for name in NAMES}
    monkeypatch.setenv("PAIRLENS_HOME", str(tmp_path / "another"))  # nothing is stored there: all is scored again
    settings.cache_clear()
    for name, found in zip(
        NAMES, at_once([lambda name=name: api.compare(*PAIR, name) for name in NAMES]), strict=True
    ):
        assert found.preferred == alone[name].preferred
        assert found.steps.equals(alone[name].steps)

"""Models that several threads load at once: each is whole, as if it had been loaded alone."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from subprocess import PIPE, STDOUT
from threading import Barrier

import pytest
import torch

import pairlens
from pairlens.models import find, load
from pairlens.models.loading import load_window
from pairlens.models.pooled import PooledClassifier, load_base
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from tests import forked

pytestmark = pytest.mark.model

NAMES = ("english-small", "bilingual-masked", "english-seq2seq")
PAIR = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")


def at_once(calls):
    """What these return, each called by a thread of its own, all at the same moment."""
    ready = Barrier(len(calls))

    def call(function):
        ready.wait()
        return function()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(call, calls))


def weights(name):
    model = find(name)
    return load(model, model.kind).module.state_dict()


@cache
def alone(name):
    return weights(name)


FRESH = """
from threading import Barrier, Thread
from pairlens.models import find, load
found, ready = [], Barrier(4)
def go(name):
    ready.wait()
    found.append(load(find(name), find(name).kind).name)
names = ["english-small", "bilingual-masked", "bilingual-next-sentence", "bilingual-entailment"]
threads = [Thread(target=go, args=[name]) for name in names]
[thread.start() for thread in threads], [thread.join() for thread in threads]
assert sorted(found) == sorted(names), found
"""


@pytest.mark.parametrize("popen", [forked.Popen, pytest.param(subprocess.Popen, marks=pytest.mark.soak)])
def test_the_first_models_of_a_process_may_be_loaded_by_several_threads(popen):
    """What a model needs is imported when the first is loaded, also where torch is there already."""
    child = popen([sys.executable, "-c", FRESH], cwd=ROOT, env=os.environ, stdout=PIPE, stderr=STDOUT, text=True)
    output, _ = child.communicate(timeout=300)
    assert child.returncode == 0, output


def test_a_head_is_built_in_single_precision_whatever_is_usual_at_the_moment():
    usual = alone("bilingual-entailment")
    torch.set_default_dtype(torch.bfloat16)  # as another thread's loading does
    try:
        built = PooledClassifier(load_base(find("bilingual-masked")), 0, 3)
        loaded = weights("bilingual-entailment")
    finally:
        torch.set_default_dtype(torch.float32)
    assert built.dense.weight.dtype == built.out.bias.dtype == torch.float32
    assert all(torch.equal(loaded[key], usual[key]) for key in usual)


def test_networks_heads_and_windows_that_threads_build_at_once_are_those_built_alone():
    names = [*NAMES, *NAMES[:2], "bilingual-entailment", "bilingual-next-sentence"]  # some of them twice
    expected = [alone(name) for name in names]
    for usual, built in zip(expected, at_once([partial(weights, name) for name in names]), strict=True):
        assert built.keys() == usual.keys()
        assert all(torch.equal(built[key], usual[key]) for key in built)
    model, other = find("english-small"), find("bilingual-masked")
    window, loaded = at_once([lambda: load_window(model), lambda: load(other, other.kind)])
    assert window == load(model, model.kind).window
    assert not [name for name, weight in loaded.module.named_parameters() if weight.is_meta]


def test_the_library_compares_in_several_threads(tmp_path, monkeypatch):
    sequence = {name: pairlens.compare(*PAIR, name) for name in NAMES}
    monkeypatch.setenv("PAIRLENS_HOME", str(tmp_path / "another"))  # nothing is stored there: all is scored again
    settings.cache_clear()
    for name, result in zip(NAMES, at_once([partial(pairlens.compare, *PAIR, name) for name in NAMES]), strict=True):
        assert result.preferred == sequence[name].preferred
        assert result.steps.equals(sequence[name].steps)

"""The token budget: measured once, kept, overridden, and never a silly one."""

from __future__ import annotations

import pytest
import torch

from core.models import find, load
from core.scorers import _budget
from core.scorers._batching import Batches, Row
from core.settings import settings
from core.types import PLAIN

pytestmark = pytest.mark.model

MANY = _budget._WORTH_MEASURING


@pytest.fixture(autouse=True)
def _nothing_is_set(home, monkeypatch):
    monkeypatch.delenv("PAIRLENS_TOKEN_BUDGET")
    settings.cache_clear()


@pytest.fixture
def network(tiny):
    return load(find(tiny("gpt2")), "causal")


def test_it_is_measured_once_and_kept(network, monkeypatch):
    usual = _budget.recorded(network)
    assert _budget.measured(network, usual, MANY - 1) == usual
    assert not _budget._file().exists()
    found = _budget.measured(network, usual, MANY)
    assert found in _budget._CANDIDATES["cpu"] and found.bit_count() == 1
    assert list(_budget._read().values()) == [found]
    monkeypatch.setattr(_budget, "_fastest", lambda _: pytest.fail("measured twice"))
    assert _budget.measured(network, found, MANY) == found == _budget.recorded(network) == Batches(network).budget


def test_another_number_of_threads_is_measured_on_its_own(network, monkeypatch):
    monkeypatch.setattr(_budget, "_fastest", lambda _: 512)
    assert _budget.measured(network, 1024, MANY) == 512
    threads = torch.get_num_threads()
    monkeypatch.setattr(torch, "get_num_threads", lambda: threads + 1)
    monkeypatch.setattr(_budget, "_fastest", lambda _: 2048)
    assert _budget.measured(network, 1024, MANY) == 2048
    assert sorted(_budget._read().values()) == [512, 2048]


def test_the_smallest_that_is_nearly_as_fast_is_taken_and_single_slow_rounds_do_not_count(monkeypatch):
    cost = {512: 1.2, 1024: 1.02, 2048: 1.0}
    clock, calls = [0.0], [0]

    def finish(_):
        tokens = _budget._CANDIDATES["cpu"][calls[0] // 2 % 3]
        if calls[0] % 2:
            clock[0] += tokens * cost[tokens] * (40 if calls[0] // 6 == 1 else 1)
        calls[0] += 1

    monkeypatch.setattr(_budget, "_finish", finish)
    monkeypatch.setattr(_budget.time, "perf_counter", lambda: clock[0])
    assert _budget._fastest(torch.device("cpu")) == 1024


@pytest.mark.parametrize("written", ["", "{", "[1]", '{"a": "b"}', '{"cpu": 0}', '{"cpu": 1e9}'])
def test_a_damaged_record_counts_as_none(network, written):
    _budget._file().parent.mkdir(parents=True, exist_ok=True)
    _budget._file().write_text(written)
    assert _budget.recorded(network) == _budget._USUAL["cpu"]


def test_a_budget_that_is_set_is_kept(network, monkeypatch):
    monkeypatch.setenv("PAIRLENS_TOKEN_BUDGET", "100")
    settings.cache_clear()
    assert _budget.measured(network, _budget.recorded(network), MANY) == 100
    assert not _budget._file().exists()


def test_a_large_call_measures_and_says_so(network, monkeypatch):
    monkeypatch.setattr(_budget, "_fastest", lambda _: 512)
    monkeypatch.setattr(_budget, "_WORTH_MEASURING", 10)
    batches = Batches(network)
    list(batches.read([[Row((5, 9, 11, 12) * 3, ((0, 9),))]], PLAIN))
    assert batches.about["token_budget"] == batches.budget == 512

"""What stands beside a run: other policies, tie rules, another run, and how much of a plan is scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import api
from core.errors import StoreError
from core.policies import PRESETS
from core.reports.run_comparison.numbers import paired_runs
from core.reports.run_comparison.runs import by_policy
from core.runs.evaluate import evaluate
from core.runs.result import Run, compared, labels, read
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS

SAMPLE = ROOT / "data" / "samples" / "blimp"


@pytest.fixture
def store(home):
    return Store()


def result(store: Store, model: str, task: str = "blimp", data: Path = SAMPLE, like: str = "pairlens") -> Run:
    steps = evaluate(TASKS[task], data, api.recipe(model, policy=PRESETS[like]), store)
    return read(store, list(steps)[-1].run_id)


@pytest.mark.slow
def test_runs_of_one_model_are_told_apart_by_their_policies(store, unigram):
    ours, published = result(store, unigram), result(store, unigram, like="babylm-2025")
    result(store, unigram, task="pairs", data=ROOT / "data" / "samples" / "pairs" / "agreement.csv")
    presets = by_policy(published.manifest, store)
    assert list(presets) == ["babylm-2025", "pairlens"], "this one first, and no run of another task"
    assert list(presets.index) == [run.manifest["run_id"] for run in (published, ours)]
    assert labels([ours, published]) == [f"{unigram} · pairlens", f"{unigram} · babylm-2025"]
    assert labels([ours]) == [unigram]


@pytest.mark.slow
def test_runs_of_other_data_are_refused(store, unigram):
    one = result(store, unigram)
    other = result(store, unigram, data=SAMPLE / "agreement_simple.jsonl")
    with pytest.raises(StoreError, match="another data set"):
        paired_runs(store, one.manifest["run_id"], other.manifest["run_id"])


@pytest.mark.slow
def test_runs_stand_together_above_what_was_published(store, unigram):
    ours, published = result(store, unigram), result(store, unigram, like="babylm-2025")
    table = compared([ours, published], "accuracy")
    assert list(table["mark"][:2]) == ["run", "run"] and table["name"].is_unique
    assert table["chance"].iloc[0] == 0.5

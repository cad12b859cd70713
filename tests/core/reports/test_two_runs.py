"""What stands beside a run: other policies, tie rules, another run, and how much of a plan is scored."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from core import api
from core.errors import StoreError
from core.policies import PRESETS
from core.reports.run_comparison.two_runs import against, by_policy, flips, grounds, verdict
from core.runs.evaluate import evaluate
from core.runs.result import Result, compared, labels, read
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS

SAMPLE = ROOT / "data" / "samples" / "blimp"


@pytest.fixture
def store(home: Path) -> Store:
    return Store()


def result(store: Store, model: str, task: str = "blimp", data: Path = SAMPLE, like: str = "pairlens") -> Result:
    steps = evaluate(TASKS[task], data, api.recipe(model, policy=PRESETS[like]), store)
    return read(store, list(steps)[-1].run_id)


@pytest.mark.slow
def test_runs_of_one_model_are_told_apart_by_their_policies(store: Store, unigram: str) -> None:
    ours, published = result(store, unigram), result(store, unigram, like="babylm-2025")
    result(store, unigram, task="pairs", data=ROOT / "data" / "samples" / "pairs" / "agreement.csv")
    presets = by_policy(published, store)
    assert list(presets) == ["babylm-2025", "pairlens"], "this one first, and no run of another task"
    assert list(presets.index) == [run.manifest["run_id"] for run in (published, ours)]
    assert labels([ours, published]) == [f"{unigram} · pairlens", f"{unigram} · babylm-2025"]
    assert labels([ours]) == [unigram]


@pytest.mark.slow
def test_a_run_against_another_has_the_sections_of_the_task(store: Store, unigram: str) -> None:
    ours, published = result(store, unigram), result(store, unigram, like="babylm-2025")
    rows = against(published, ours, "accuracy")
    sections = dict(zip(rows["group"], rows["section"], strict=True))
    assert sections["reflexive_number"] == "anaphor_agreement" and sections["macro"] == "macro"
    assert rows["difference"].iloc[0] == pytest.approx(
        published.metrics["value"].iloc[0] - ours.metrics["value"].iloc[0]
    )
    assert flips(ours, ours).empty


@pytest.mark.slow
def test_runs_of_other_data_are_refused(store: Store, unigram: str) -> None:
    one = result(store, unigram)
    other = result(store, unigram, data=SAMPLE / "agreement_simple.jsonl")
    with pytest.raises(StoreError, match="another data set"):
        against(one, other, "accuracy")


def rows(difference: float, low: float, high: float, p: float = 0.01) -> pd.DataFrame:
    overall = {
        "difference": difference, "low": low, "high": high, "n": 60, "only_a": 9, "only_b": 1, "p": p, "p_holm": p,
        "p_mcnemar": p, "n_clusters": 60, "unscored_a": 0, "unscored_b": 2,
    }  # fmt: skip
    return pd.DataFrame([overall, {**overall, "p_holm": 0.2}, {**overall, "p_holm": 0.02}])


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ((0.1, 0.02, 0.2), "a is ahead of b by 10.0\u00a0points (2.0\u00a0points to 20.0\u00a0points)."),
        ((-0.1, -0.2, -0.02), "b is ahead of a by 10.0\u00a0points (2.0\u00a0points to 20.0\u00a0points)."),
        ((0.1, -0.1, 0.2), "No clear difference between a and b: 10.0\u00a0points"),
        (
            (0.0, float("nan"), float("nan")),
            "The difference between a and b is 0.0\u00a0points, without an interval: ",
        ),
    ],
)
def test_a_verdict_is_in_words(numbers: tuple[float, float, float], said: str) -> None:
    text = verdict(rows(*numbers), ("a", "b"), "accuracy")
    assert text.startswith(said)
    assert ("beyond chance in 1 of 2 paradigms" in text) == ("ahead" in said)


def test_what_stands_behind_a_verdict_is_said() -> None:
    text = grounds(rows(0.1, 0.02, 0.2, 22 / 1024), "accuracy")
    for part in (
        "60 items",
        "2 that only one of them could",
        "first only: 9",
        "second only: 1",
        "p\u00a0=\u00a00.021, mid-p\u00a0=\u00a00.012",
        "2 tests",
    ):
        assert part in text
    assert "McNemar" not in grounds(rows(0.1, 0.02, 0.2, float("nan")), "accuracy")
    neutral = grounds(rows(0.1, 0.02, 0.2, 22 / 1024), "stereotype")
    assert "Right" in text and "Right" not in neutral and "Counted in the first only: 9" in neutral


@pytest.mark.slow
def test_runs_stand_together_above_what_was_published(store: Store, unigram: str) -> None:
    ours, published = result(store, unigram), result(store, unigram, like="babylm-2025")
    table = compared([ours, published], "accuracy")
    assert list(table["mark"][:2]) == ["run", "run"] and table["name"].is_unique
    assert table["chance"].iloc[0] == 0.5

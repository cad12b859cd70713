"""Our samples in many languages against what lm-evaluation-harness makes of them (`originals/languages.py`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.policies import preset_for
from core.runs.result import read
from core.runs.zero_shot import Benchmark
from core.scoring.recipe import recipe_of
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS

SAMPLES = ROOT / "data" / "samples"
CASES = json.loads(Path(__file__).with_name("originals").joinpath("languages.json").read_text("utf-8"))["cases"]
SETS = ("multiblimp", "xcomps", "blimp_nl", "zhoblimp")


def test_the_record_has_every_file_of_the_four_sets():
    files = {str(file.relative_to(SAMPLES)) for name in SETS for file in (SAMPLES / name).rglob("*.*")}
    assert all(set(case) == files for case in CASES.values()) and len(files) == 21


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("architecture", CASES)
def test_scores_and_accuracy_are_those_of_lm_evaluation_harness(architecture, name, tiny, home):
    task, store = TASKS[name], Store(shipped=None)
    recipe = recipe_of(str(tiny(architecture)), policy=preset_for("lm-eval", task.sets))
    for file, theirs in CASES[architecture].items():
        if not file.startswith(f"{name}/"):
            continue
        *_, last = Benchmark(task, SAMPLES / file).run(recipe, store)
        result = read(store, last.run_id)
        ours = result.candidates.groupby("item", sort=False)["logprob"].agg(list)
        assert [*ours] == [pytest.approx(pair, abs=1e-4) for pair in theirs["scores"]], file
        assert result.metrics["value"].iloc[0] == pytest.approx(theirs["acc"]), file

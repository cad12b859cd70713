"""Our samples in many languages against what lm-evaluation-harness makes of them (`originals/languages.py`)."""

import json
from pathlib import Path

import pytest

from pairlens.evaluation.result import read
from pairlens.evaluation.zero_shot import Benchmark
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.scoring.recipe import recipe_of
from pairlens.tasks import TASKS

SAMPLES = ROOT / "data" / "samples"
CASES = json.loads(Path(__file__).with_name("originals").joinpath("languages.json").read_text("utf-8"))["cases"]
SETS = ("multiblimp", "xcomps", "blimp_nl", "zhoblimp")
FILES = sorted(str(file.relative_to(SAMPLES)) for name in SETS for file in (SAMPLES / name).rglob("*.*"))


def test_the_record_has_every_file_of_the_four_sets():
    assert all(sorted(case) == FILES for case in CASES.values()) and len(FILES) == 21


def marked(number, file, place, architecture):
    """Every second file is read with one architecture, in turn, and all with all in the soak."""
    return pytest.param(architecture, file, marks=() if number % (2 * len(CASES)) == place else pytest.mark.soak)


@pytest.mark.parametrize(
    ("architecture", "file"), [marked(*file, *case) for file in enumerate(FILES) for case in enumerate(CASES)]
)
def test_scores_and_accuracy_are_those_of_lm_evaluation_harness(architecture, file, tiny, store):
    task, theirs = TASKS[file.partition("/")[0]], CASES[architecture][file]
    recipe = recipe_of(str(tiny(architecture)), policy=preset_for("lm-eval", task.sets))
    *_, last = Benchmark(task, SAMPLES / file).run(recipe, store)
    result = read(store, last.run_id)
    ours = result.candidates.groupby("item", sort=False)["logprob"].agg(list)
    assert [*ours] == [pytest.approx(pair, abs=1e-4) for pair in theirs["scores"]]
    assert result.metrics["value"].iloc[0] == pytest.approx(theirs["acc"])

"""Models as two states of the BabyLM 2025 pipeline score them: its reports and scores, recorded by `make oracle`."""

from __future__ import annotations

import json

import pytest
from originals.babylm_cases import AUGUST, CASES, MAY, MODELS, RECORD, TASKS, WORDS, data, model, numbers

from core.policies import preset_for
from core.runs.formats import compared
from core.runs.zero_shot import Benchmark, task_named, write_results
from core.scorers import backends
from core.scoring.recipe import recipe_of
from core.store import Store
from core.types import Request

pytestmark = pytest.mark.model

TOLERANCE = 1e-3
ASKED = json.loads(RECORD.read_text("utf-8"))["cases"]

WORD_CASES = [(AUGUST, name, backend, "aoa") for name, (backends, _) in MODELS.items() for backend in backends]


def test_the_record_says_what_was_asked():
    assert set(ASKED) == {" ".join(case) for case in [*CASES, *WORD_CASES]}


@pytest.fixture(scope="module")
def tiny_models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    return {architecture: model(folder / architecture, architecture) for architecture in MODELS}


@pytest.mark.parametrize(("preset", "architecture", "backend", "name"), CASES)
def test_reports_predictions_and_scores(preset, architecture, backend, name, tiny_models, tmp_path):
    theirs = ASKED[f"{preset} {architecture} {backend} {name}"]
    task = task_named("wug" if (preset, name) == (MAY, "wug_adj") else TASKS[name].task)
    policy = preset_for(preset, task.sets)
    recipe = recipe_of(str(tiny_models[architecture]), scorer=backends()[backend], policy=policy)
    asked, store = Benchmark(task, data(tmp_path, name), write_confidential=task.confidential), Store(shipped=None)
    *_, last = asked.run(recipe, store)
    folder = write_results(last.run_id, asked, store, tmp_path / "results", architecture).folder
    values = store.candidates(last.run_id).groupby("item")[["label", "logprob"]].agg(list)
    labels = compared(task, policy, backend)
    said = json.loads((folder / "predictions.json").read_text("utf-8"))
    met: dict[str, int] = {}
    for item in task.read(asked.data):
        uid = task.name if "ratio" in item.groups and preset != MAY else item.groups[task.averaged[-1]]
        number = met[uid] = met.get(uid, -1) + 1
        scores, predicted = theirs["items"][uid][number]
        chosen = [one for one in item.candidates if not labels or one.label in labels]
        ours = dict(zip(*values.loc[item.id], strict=True))
        assert [ours[one.label] for one in chosen][: len(scores)] == pytest.approx(scores, abs=TOLERANCE)
        if len(scores) == len(chosen):
            text = (
                chosen[predicted].text
                if task.prediction == "text"
                else chosen[predicted].context + chosen[predicted].text
            )
            assert said[uid]["predictions"][number]["pred"] == text
    assert {uid: last + 1 for uid, last in met.items()} == {uid: len(of) for uid, of in theirs["items"].items()}
    if (
        theirs["report"] is None
    ):  # of wug tests the pipeline asks this backend about one form only, and ends in an error
        assert (backend, name[:3]) == ("enc_dec_prefix", "wug")
    else:
        assert numbers((folder / "best_temperature_report.txt").read_text("utf-8")) == theirs["report"]


@pytest.mark.parametrize(("preset", "architecture", "backend", "name"), WORD_CASES)
def test_surprisals_of_words_that_children_learn(preset, architecture, backend, name, tiny_models):
    """A space that is a token of its own counts with the context."""
    task = task_named(name)
    recipe = recipe_of(str(tiny_models[architecture]), backends()[backend], preset_for(preset, task.sets))
    asked = [Request(one.context, one.text) for item in task.read(WORDS) for one in item.candidates]
    scores = recipe.open().score([recipe.request(one) for one in asked])
    theirs = ASKED[f"{preset} {architecture} {backend} {name}"]
    assert [-one.total for one in scores] == pytest.approx(theirs, abs=TOLERANCE)

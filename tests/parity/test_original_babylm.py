"""Models as two states of the BabyLM 2025 pipeline score them: its reports and scores, recorded by `make oracle`."""

import json

import pytest
from originals.babylm_cases import AUGUST, CASES, MAY, MODELS, RECORD, TASKS, WORDS, data, numbers, task_of

from pairlens.evaluation.formats import compared
from pairlens.evaluation.zero_shot import Benchmark, task_named, write_results
from pairlens.policies import preset_for
from pairlens.scorers import backends
from pairlens.scoring.recipe import recipe_of
from pairlens.store import Store
from pairlens.types import Request

TOLERANCE = 1e-3
ASKED = json.loads(RECORD.read_text("utf-8"))["cases"]

WORD_CASES = [(AUGUST, name, backend, "aoa") for name, (backends, _) in MODELS.items() for backend in backends]
BACKENDS = list(dict.fromkeys(backend for _, _, backend, _ in WORD_CASES))
ARCHITECTURES = {backend: [name for name, (of, _) in MODELS.items() if backend in of] for backend in BACKENDS}


def one_of_each():
    """Each architecture and backend with one task in one state, in turn; all are for the soak."""
    by_model = {}
    for case in CASES:
        by_model.setdefault(case[1:3], []).append(case)
    usual = {cases[5 * number % len(cases)] for number, cases in enumerate(by_model.values())}
    assert {name for *_, name in usual} == {*TASKS} and {state for state, *_ in usual} == {AUGUST, MAY}
    return [pytest.param(*case, marks=() if case in usual else pytest.mark.soak) for case in CASES]


def test_the_record_says_what_was_asked():
    assert set(ASKED) == {" ".join(case) for case in [*CASES, *WORD_CASES]}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return Store(tmp_path_factory.mktemp("store"), shipped=None)


@pytest.mark.parametrize(("preset", "architecture", "backend", "name"), one_of_each())
def test_reports_predictions_and_scores(preset, architecture, backend, name, tiny, tmp_path, store):
    theirs = ASKED[f"{preset} {architecture} {backend} {name}"]
    task = task_named("wug" if (preset, name) == (MAY, "wug_adj") else task_of(name))
    policy = preset_for(preset, task.sets)
    recipe = recipe_of(str(tiny(architecture, **MODELS[architecture][1])), backends()[backend], policy)
    asked = Benchmark(task, data(tmp_path, name), write_confidential=task.confidential)
    *_, last = asked.run(recipe, store)
    folder = write_results(last.run_id, asked, store, tmp_path / "results", architecture).folder
    values = store.candidates(last.run_id).groupby("item")[["label", "logprob"]].agg(list)
    labels = compared(task, policy, backend)
    said = json.loads((folder / "predictions.json").read_text("utf-8"))
    met = {}
    for item in task.read(asked.data):
        uid = task.name if "ratio" in item.groups and preset != MAY else item.groups[task.averaged[-1]]
        number = met[uid] = met.get(uid, -1) + 1
        scores, predicted = theirs["items"][uid][number]
        chosen = [one for one in item.candidates if not labels or one.label in labels]
        ours = dict(zip(*values.loc[item.id], strict=True))
        assert [ours[one.label] for one in chosen][: len(scores)] == pytest.approx(scores, abs=TOLERANCE)
        if len(scores) == len(chosen):
            best = chosen[predicted]
            text = best.text if task.prediction == "text" else best.context + best.text
            assert said[uid]["predictions"][number]["pred"] == text
    assert {uid: last + 1 for uid, last in met.items()} == {uid: len(of) for uid, of in theirs["items"].items()}
    if theirs["report"] is None:  # the pipeline asks this backend about one form of wug only, and ends in an error
        assert (backend, name[:3]) == ("enc_dec_prefix", "wug")
    else:
        assert numbers((folder / "best_temperature_report.txt").read_text("utf-8")) == theirs["report"]


@pytest.mark.parametrize(
    ("preset", "architecture", "backend", "name"),
    [
        pytest.param(*case, marks=() if case[1] == ARCHITECTURES[case[2]][0] else pytest.mark.soak)
        for case in WORD_CASES
    ],
)
def test_surprisals_of_words_that_children_learn(preset, architecture, backend, name, tiny):
    """A space that is a token of its own counts with the context."""
    task, model = task_named(name), str(tiny(architecture, **MODELS[architecture][1]))
    recipe = recipe_of(model, backends()[backend], preset_for(preset, task.sets))
    asked = [Request(one.context, one.text) for item in task.read(WORDS) for one in item.candidates]
    scores = recipe.open().score([recipe.request(one) for one in asked])
    theirs = ASKED[f"{preset} {architecture} {backend} {name}"]
    assert [-one.total for one in scores] == pytest.approx(theirs, abs=TOLERANCE)

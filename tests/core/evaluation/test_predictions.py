"""Other programs' predictions as numbers: released files give their released reports, whole."""

import json

import pytest

from pairlens.errors import InputError
from pairlens.evaluation import predictions
from pairlens.evaluation.formats import predictions as written
from pairlens.evaluation.zero_shot import recompute, task_named
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.types import Candidate, Item
from tests.records import write
from tests.refusals import error_of

SAMPLES = ROOT / "data" / "samples"
MODELS = pytest.mark.parametrize("model", ["opt-128-warmup", "mamba-8192-warmup"])
BLIMP = TASKS["blimp"]


@MODELS
@pytest.mark.parametrize(
    ("task", "data", "file"),
    [("blimp", "supplement_filtered", "predictions.json.gz"), ("wug", "wug_adj_nominalization", "predictions.json")],
)
def test_released_predictions_give_the_released_report(model, task, data, file, tmp_path, shared_data):
    released = shared_data(f"babylm_results/{model}/main/zero_shot/causal/{task}/{data}")
    items = shared_data(f"babylm/evaluation_data/full_eval/{data}")
    _, folder = recompute(task_named(task), items, released / file, tmp_path, model, "causal")
    assert folder.relative_to(tmp_path).parts[:4] == (model, "main", "zero_shot", "causal")
    ours = (folder / "best_temperature_report.txt").read_text()
    assert ours == (released / "best_temperature_report.txt").read_text()


@MODELS
def test_released_surprisals_give_the_released_reading_scores(model, tmp_path, shared_data):
    released = shared_data(f"babylm_results/{model}/main/zero_shot/causal/reading")
    items = shared_data("babylm/evaluation_data/full_eval/reading")
    _, folder = recompute(TASKS["reading"], items, released / "prediction.jsonl.gz", tmp_path, model, "causal")
    for name in ("report.txt", "correlations.txt"):
        assert (folder / name).read_text() == (released / name).read_text()


def pairs():
    groups = {"UID": "u", "linguistics_term": "t", "field": "f"}
    return [pair(f"u_{n}", f"good {n}", f"bad {n}", {**groups, "contrast": str(n)}) for n in range(3)]


def predicted(*texts, uid="u"):
    return {uid: [{"id": f"{uid}_{n}", "pred": text} for n, text in enumerate(texts)]}


def test_choices_are_all_that_is_known():
    table = predictions.candidates_of(BLIMP, pairs(), predicted("good 0", " bad 1\n", ""))
    summary = predictions.summary(table, BLIMP)
    assert summary.iloc[0][["value", "n", "excluded"]].tolist() == [0.5, 2, 1]
    assert summary["length_only"].isna().all()


def test_probabilities_give_the_correlation_and_choices_the_older_accuracy():
    wug = TASKS["wug_adj"]
    ratios = (0.1, 0.4, 0.9)
    items = [
        Item(f"w_{n}", (Candidate(f"a{n}", "first"), Candidate(f"b{n}", "second")),
             "first" if ratio > 0.5 else "second", {"UID": "w", "ratio": repr(ratio)})
        for n, ratio in enumerate(ratios)
    ]  # fmt: skip
    chosen = predicted("b0", "a1", "a2", uid="w")
    table = predictions.candidates_of(wug, items, chosen)
    assert predictions.reported_metric(table, wug) == "first_form"
    assert set(predictions.summary(table, wug)["name"]) == {"majority", "first_form"}
    with_prob = {"w": [{**one, "prob": p} for one, p in zip(chosen["w"], (0.3, 0.6, 0.7), strict=True)]}
    table = predictions.candidates_of(wug, items, with_prob)
    assert predictions.reported_metric(table, wug) == "human_correlation"
    numbers = predictions.summary(table, wug).drop_duplicates("name").set_index("name")["value"]
    assert numbers["human_correlation"] == pytest.approx(1.0)
    assert numbers["first_form"] == pytest.approx(2 / 3) and numbers["majority"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (predicted("good 0", "good 1"), "2 predictions for 'u', whose data are 3 items"),
        (predicted("good 0", "good 1", "quite another"), "'quite another' is none of the candidates of item 'u_2'"),
        (predicted("good 0", "good 1", "good 2", uid="v"), "predictions for 'v', which the data do not have: u"),
    ],
)
def test_predictions_of_other_data_are_refused(given, said):
    assert said in error_of(lambda: predictions.candidates_of(BLIMP, pairs(), given))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"u": []}', '{"u": {"predictions": [{"id": "u_0"}]}}', "{"])
def test_another_file_is_one_sentence(content, tmp_path):
    path = tmp_path / "predictions.json"
    path.write_text(content)
    assert "predictions.json" in error_of(lambda: predictions.read(path))


def ewok(folder, *texts):
    """The data of our sample, and predictions of these for the first items of a domain, right for all others."""
    data = SAMPLES / "ewok" / "social-relations.jsonl"
    targets = [f" {json.loads(line)['Target1']}" for line in data.read_text("utf-8").splitlines()]
    chosen = [*texts, *targets[len(texts) :]]
    path = folder / "predictions.json"
    path.write_text(json.dumps({"social-relations": {"predictions": [{"pred": text} for text in chosen]}}))
    return data, path


def test_what_is_known_of_ewok_is_which_target_was_preferred_in_a_context_and_nothing_of_it_is_quoted(tmp_path):
    wrong = "The boy was the first of the two who could carve."  # the second target of the first item
    summary, folder = recompute(TASKS["ewok"], *ewok(tmp_path, wrong), tmp_path, "m", "causal")
    assert set(summary["name"]) == {"same_context"}
    assert summary.iloc[0][["value", "n", "excluded"]].tolist() == [0.75, 4, 0]
    assert "social-relations: 75.00" in (folder / "best_temperature_report.txt").read_text()
    error = error_of(lambda: recompute(TASKS["ewok"], *ewok(tmp_path, "A secret."), tmp_path, "m", "causal"))
    assert "the prediction is none of the candidates" in error and "secret" not in error


def wugs(n=2):
    forms = "first", "second"
    return [pair(f"w_{i}", f"a{i}", f"b{i}", {"UID": "w", "ratio": repr(0.6 + i / 10)}, forms) for i in range(n)]


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ({"pred": "a0", "prob": 2}, "'prob' of item 'w_0' must be from 0 to 1, found 2"),
        ({"pred": "a0", "prob": -0.1}, "found -0.1"),
        ({"pred": "a0", "prob": True}, "found True"),
        ({"pred": "a0", "prob": "x"}, "found x"),
        ({"pred": "a0"}, "only some predictions for 'w' have a 'prob'"),
        ({"pred": "of other data", "prob": 0.5}, "'of other data' is none of the candidates of item 'w_0'"),
    ],
)
def test_a_probability_is_checked(first, said):
    given = {"w": [first, {"pred": "b1", "prob": 0.25}]}
    assert said in error_of(lambda: predictions.candidates_of(TASKS["wug_adj"], wugs(), given))


def test_paradigms_without_predictions_are_not_passed_over(tmp_path):
    records = [{"sentence_good": f"good {name}", "sentence_bad": f"bad {name}", "UID": name} for name in ("one", "b")]
    data = write(tmp_path / "data.jsonl", *records)
    file = write(tmp_path / "predictions.json", {"one": {"predictions": [{"pred": "good one"}]}})
    with pytest.raises(InputError, match="predictions for 1 of the data's 2 items"):
        recompute(TASKS["blimp"], data, file, tmp_path / "out", "m", "causal")
    assert not (tmp_path / "out").exists()


def test_our_own_predictions_can_be_read_again_where_an_item_has_no_score(tmp_path):
    table = predictions.candidates_of(
        TASKS["wug_adj"], wugs(3), {"w": [{"pred": "a0"}, {"pred": ""}, {"pred": "b2"}]}
    )
    path = write(tmp_path / "predictions.json", written(table, TASKS["wug_adj"], Policy()))
    again = predictions.candidates_of(TASKS["wug_adj"], wugs(3), predictions.read(path))
    assert again["logprob"].isna().tolist() == [False, False, True, True, False, False]

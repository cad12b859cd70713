"""What users hand in by mistake: one clear sentence, exit status 2, and nothing of a confidential text in it."""

import json

import pytest

from pairlens.errors import InputError
from pairlens.evaluation import predictions
from pairlens.evaluation.formats import predictions as written_predictions
from pairlens.evaluation.zero_shot import recompute, sample
from pairlens.policies import Policy
from pairlens.store.parts import Scored
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.types import TokenScores
from tests.records import refusal, write
from tests.refusals import error_of, refused

pytestmark = pytest.mark.usefixtures("unpublished")
MARKER = "ZQXMARKER"
FORMS = {"sentences": "a wuggish\ta wuggy"}


@pytest.mark.parametrize(
    "line",
    [
        f'["{MARKER}"]',
        f'"{MARKER}"',
        f'{{"Context1 {MARKER}": 1, "Context1 {MARKER}": 2}}',
        f'{{"Context1": "{MARKER}',
        f'{{"Context1": ["{MARKER}"]}}',
        f'{{"Context1": "{MARKER}"}} {MARKER}',
    ],
)
def test_a_confidential_line_is_never_quoted(line, tmp_path, cli):
    file = tmp_path / "ewok.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    outcome = cli("zero-shot", "--task", "ewok", "--data_path", file, "--model", "unigram-english")
    refused(outcome, "ewok.jsonl, line 1: ")
    assert MARKER not in outcome[2]


@pytest.mark.parametrize(
    ("task", "record", "said"),
    [
        ("wug_adj", {**FORMS, "ratio": 10**400}, "field 'ratio' must be a number, found one that is too large"),
        ("wug_adj", {**FORMS, "ratio": 1.5}, "0 to 1, found 1.5"),
        ("blimp", {"sentence_good": "a", "sentence_bad": "b", "UID": None}, "field 'UID' must be a text"),
        ("blimp", {"sentence_good": "a", "sentence_bad": "b", "field": ["x"]}, "field 'field' must be a text"),
        ("blimp", {f"f{n}": 1 for n in range(3_000)}, "found f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, ...."),
    ],
)
def test_a_wrong_value_is_named(task, record, said, tmp_path):
    assert said in refusal(task, write(tmp_path / "a.jsonl", record))


def test_a_context_that_is_missing_needs_a_number_of_words(tmp_path):
    header, first, *rest = (sample(TASKS["reading"])).read_text(encoding="utf-8").splitlines()
    names, cells = header.split(","), first.split(",")
    cells[names.index("item")], cells[names.index("context_length")] = "", "-3"
    path = tmp_path / "reading.csv"
    path.write_text("\n".join([header, ",".join(cells), *rest]) + "\n", encoding="utf-8")
    assert "row 2: column 'context_length' must be a number of words, found '-3'" in refusal("reading", path)


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
        ({"pred": "a0", "prob": 10**400}, "must be from 0 to 1"),
        ({"pred": "a0", "prob": float("inf")}, "found inf"),
        ({"pred": "a0"}, "only some predictions for 'w' have a 'prob'"),
        ({"pred": "of other data", "prob": 0.5}, "'of other data' is none of the candidates of item 'w_0'"),
    ],
)
def test_a_probability_is_checked(first, said):
    given = {"w": [first, {"pred": "b1", "prob": 0.25}]}
    assert said in error_of(lambda: predictions.candidates_of(TASKS["wug_adj"], wugs(), given))


def test_paradigms_without_predictions_are_not_passed_over(tmp_path):
    data, file = tmp_path / "data", tmp_path / "predictions.json"
    data.mkdir()
    for name in ("one", "other"):
        write(data / f"{name}.jsonl", {"sentence_good": f"good {name}", "sentence_bad": f"bad {name}"})
    file.write_text(json.dumps({"one": {"predictions": [{"pred": "good one"}]}}), encoding="utf-8")
    with pytest.raises(InputError, match="predictions for 1 of the data's 2 items"):
        recompute(TASKS["blimp"], data, file, tmp_path / "out", "m", "causal")
    assert not (tmp_path / "out").exists()


def test_our_own_predictions_can_be_read_again_where_an_item_has_no_score(tmp_path):
    table = predictions.candidates_of(
        TASKS["wug_adj"], wugs(3), {"w": [{"pred": "a0"}, {"pred": ""}, {"pred": "b2"}]}
    )
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps(written_predictions(table, TASKS["wug_adj"], Policy())), encoding="utf-8")
    again = predictions.candidates_of(TASKS["wug_adj"], wugs(3), predictions.read(path))
    assert again["logprob"].isna().tolist() == [False, False, True, True, False, False]


@pytest.mark.parametrize("task", ["blimp", "aoa"])
def test_childrens_words_are_not_ignored(task, home, unigram, cli):
    outcome = cli("zero-shot", "--task", task, "--model", unigram, "--children", "nowhere.csv")
    refused(outcome, "--children needs --task aoa and several checkpoints")
    assert not (home / "store" / "runs").exists()


def test_scores_are_known_at_a_temperature_wherever_their_parts_lie(store):
    for key, tempered in (
        ("both", {0.5: (-2.0,)}), ("both", {2.0: (-0.5,)}), ("one", {0.5: (-3.0,)}), ("plain", None),
    ):  # fmt: skip
        scores = TokenScores(("x",), (1,), (-1.0,), ((0, 1),), tempered=tempered)
        store.add("f" * 64, [Scored(key, scores, (0,))], {})
    known = [store.known("f" * 64, temperatures=at) for at in ((), (0.5,), (0.5, 2.0), (0.5, 2.0, 3.0))]
    assert known == [{"both", "one", "plain"}, {"both", "one"}, {"both"}, set()]
    at_half = store.scores("f" * 64, 0.5).set_index("request_key")["logprob"]
    assert at_half.to_dict() == {"both": -2.0, "one": -3.0}
    whole = store.scores("f" * 64)
    assert sorted(whole.loc[whole["request_key"] == "both", "temperature"]) == [0.5, 1.0, 2.0]


@pytest.mark.slow
def test_a_single_temperature_is_shown_with_its_number(home, unigram, cli):
    status, out, _ = cli("zero-shot", "--model", unigram, "--min_temperature", 2, "--output_dir", home / "out")
    assert status == 0 and "\n2.00\t" in out and "\nhighest at temperature" not in out


def test_nothing_is_recomputed_or_collated_under_a_backend_that_is_none(tmp_path, cli):
    (tmp_path / "m").mkdir()
    collate = ("suite", "collate", "babylm-2025", "--model", "m", "--results_dir", tmp_path)
    for asked in (collate, ("zero-shot", "--from_predictions", tmp_path / "p.json")):
        refused(cli(*asked, "--backend", "../../x"), "There is no backend '../../x'")


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_words_that_are_all_alike_give_no_regression_and_no_warning(home, unigram, tmp_path, cli):
    header, first, *_ = sample(TASKS["reading"]).read_text(encoding="utf-8").splitlines()
    path = tmp_path / "reading.csv"
    path.write_text("\n".join([header, *[first] * 30]) + "\n", encoding="utf-8")
    asked = ("--task", "reading", "--data_path", path, "--model", unigram)
    status, output, errors = cli("zero-shot", *asked, "--output_dir", home / "out")
    assert status == 0 and not errors and "eye tracking: no number" in output

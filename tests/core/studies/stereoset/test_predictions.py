"""Predictions: the published JSON, its names, and what may be wrong with it."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.studies.stereoset.predictions import Predictions, predictions_name, read_predictions, write_predictions


def read(tmp_path, content):
    path = tmp_path / "gpt2_GPT2LM_GPT2LM_d_en.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_predictions(path)


def one(identifier, score):
    return {"intrasentence": [{"id": identifier, "score": score}]}


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (("gpt2", "GPT2LM", "GPT2LM", "d"), "gpt2_GPT2LM_GPT2LM_d_en.json"),
        (("gpt2", "", "GPT2LM", "orig"), "gpt2__GPT2LM_orig_en.json"),
        (("gpt2", "GPT2LM", "ModelNSP", "d"), "gpt2_GPT2LM_ModelNSP_en.json"),
        (("t5-base", "T5LM", "T5LM", "d"), "t5-base_T5LM_T5LM_d_en.json"),
        (("google/mt5-base", "mT5LM", "mT5LM", "d", "tr"), "google_mt5-base_mT5LM_mT5LM_tr.json"),
        (("bert-base-cased", "BertLM", "", "d"), "bert-base-cased_BertLM__en.json"),
    ],
)
def test_files_are_named_as_published(parts, name):
    assert predictions_name(*parts) == name


def test_a_file_is_read_by_task_and_knows_its_name(tmp_path):
    found = read(tmp_path, one("a", 0.5) | {"intersentence": [{"id": "b", "score": 1}]})
    assert found == Predictions({"a": 0.5}, {"b": 1.0}, "gpt2_GPT2LM_GPT2LM_d_en")


def test_what_is_not_a_number_is_not_a_score(tmp_path):
    entries = '[{"id": "a", "score": NaN}, {"id": "b", "score": null}, {"id": "c", "score": -Infinity}]'
    found = read(tmp_path, f'{{"intrasentence": {entries}}}')
    assert math.isnan(found.intrasentence["a"])
    assert math.isnan(found.intrasentence["b"])
    assert found.intrasentence["c"] == -math.inf


def test_ids_that_are_numbers_and_ids_given_twice_are_noted(tmp_path):
    found = read(tmp_path, {"intrasentence": [{"id": 7, "score": 0.5}, {"id": "7", "score": 0.5}], "model": "gpt2"})
    assert found.intrasentence == {"7": 0.5}
    assert found.notes == (
        "intrasentence: ids that are numbers, read as text: 1.",
        "intrasentence: ids given again with the same score: 1.",
        "Not read: 'model'.",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("[]", "expected predictions"),
        ({"model": "gpt2"}, "expected predictions"),
        ({"intrasentence": {"a": 0.5}}, '"intrasentence" must be a list of objects with id and score, found an obj'),
        ({"intrasentence": [0.5]}, "entry 1: expected an object with id and score, found a number"),
        ({"intrasentence": [{"id": "a"}]}, "entry 1: expected an object with id and score, found an object with id"),
        (one(1.5, 0.5), "an id must be a text, found a number"),
        (one(None, 0.5), "an id must be a text, found nothing"),
        (one(True, 0.5), "an id must be a text, found true or false"),
        (one(["a"], 0.5), "an id must be a text, found a list"),
        (one("a", "0.5"), "a score must be a number, found a text"),
        (one("a", True), "a score must be a number, found true or false"),
        ({"intersentence": [{"id": "a", "score": 1}, {"id": "a", "score": 2}]}, "entry 2: id 'a' has two different"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(content, message, tmp_path):
    with pytest.raises(InputError, match=message):
        read(tmp_path, content)


def test_a_pickle_is_refused(tmp_path):
    with pytest.raises(InputError, match="pickles are not opened"):
        read_predictions(tmp_path / "predictions.pkl")


scores = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.floats())


@given(scores, scores)
def test_what_is_written_is_read_again(tmp_path, within, between):
    finite = [{name: score for name, score in part.items() if math.isfinite(score)} for part in (within, between)]
    write_predictions(Predictions(*finite), path := tmp_path / "p.json")
    document = json.loads(path.read_text())
    read = {kind: {entry["id"]: entry["score"] for entry in entries} for kind, entries in document.items()}
    written = dict(zip(("intrasentence", "intersentence"), finite, strict=True))
    assert read == {kind: part for kind, part in written.items() if part}, "a task that was skipped has no key"


def test_the_file_has_the_published_shape(tmp_path):
    path = tmp_path / "p.json"
    write_predictions(Predictions({"a": 0.5}, {"b": math.nan}, "p"), path)
    assert json.loads(path.read_text()) == {
        "intrasentence": [{"id": "a", "score": 0.5}],
        "intersentence": [{"id": "b", "score": None}],
    }
    again = read_predictions(path)
    assert again.intrasentence == {"a": 0.5}
    assert math.isnan(again.intersentence["b"])

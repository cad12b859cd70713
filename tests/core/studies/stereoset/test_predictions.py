"""Predictions: the published JSON, its names, and what may be wrong with it."""

import json
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.cli import main
from pairlens.errors import InputError
from pairlens.files.stereoset.examples import BIAS_TYPES, GOLD_LABELS
from pairlens.files.stereoset.predictions import Predictions, predictions_name, read_predictions, write_predictions
from pairlens.files.stereoset.reading import read_examples


def read(tmp_path, content):
    path = tmp_path / "gpt2_GPT2LM_GPT2LM_d_en.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return read_predictions(path)


def one(identifier, score):
    return {"intrasentence": [{"id": identifier, "score": score}]}


@pytest.mark.parametrize(
    ("parts", "name"),
    [(("gpt2", "GPT2LM", "GPT2LM", "d"), "gpt2_GPT2LM_GPT2LM_d_en.json"),
     (("gpt2", "", "GPT2LM", "orig"), "gpt2__GPT2LM_orig_en.json"),
     (("gpt2", "GPT2LM", "ModelNSP", "d"), "gpt2_GPT2LM_ModelNSP_en.json"),
     (("t5-base", "T5LM", "T5LM", "d"), "t5-base_T5LM_T5LM_d_en.json"),
     (("google/mt5-base", "mT5LM", "mT5LM", "d", "tr"), "google_mt5-base_mT5LM_mT5LM_tr.json"),
     (("bert-base-cased", "BertLM", "", "d"), "bert-base-cased_BertLM__en.json")],
)  # fmt: skip
def test_files_are_named_as_published(parts, name):
    assert predictions_name(*parts) == name


def test_a_file_is_read_by_task_and_written_as_published_and_what_is_no_number_or_a_pickle_is_said(tmp_path):
    found = read(tmp_path, one("a", 0.5) | {"intersentence": [{"id": "b", "score": 1}]})
    assert found == Predictions({"a": 0.5}, {"b": 1.0}, "gpt2_GPT2LM_GPT2LM_d_en")
    entries = '[{"id": "a", "score": NaN}, {"id": "b", "score": null}, {"id": "c", "score": -Infinity}]'
    found = read(tmp_path, f'{{"intrasentence": {entries}}}')
    assert math.isnan(found.intrasentence["a"]) and math.isnan(found.intrasentence["b"])
    assert found.intrasentence["c"] == -math.inf
    found = read(tmp_path, {"intrasentence": [{"id": 7, "score": 0.5}, {"id": "7", "score": 0.5}], "model": "gpt2"})
    assert found.intrasentence == {"7": 0.5}
    assert found.notes == (
        "intrasentence: ids that are numbers, read as text: 1.",
        "intrasentence: ids given again with the same score: 1.",
        "Not read: 'model'.",
    )
    path = tmp_path / "p.json"
    write_predictions(Predictions({"a": 0.5}, {"b": math.nan}, "p"), path)
    assert json.loads(path.read_text()) == {
        "intrasentence": [{"id": "a", "score": 0.5}],
        "intersentence": [{"id": "b", "score": None}],
    }
    again = read_predictions(path)
    assert again.intrasentence == {"a": 0.5} and math.isnan(again.intersentence["b"])
    with pytest.raises(InputError, match="pickles are not opened"):
        read_predictions(tmp_path / "predictions.pkl")


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "the file is empty"), ("[]", "expected predictions"), ({"model": "gpt2"}, "expected predictions"),
     ({"intrasentence": {"a": 0.5}}, '"intrasentence" must be a list of objects with id and score, found an obj'),
     ({"intrasentence": [0.5]}, "entry 1: expected an object with id and score, found a number"),
     ({"intrasentence": [{"id": "a"}]}, "entry 1: expected an object with id and score, found an object with id"),
     (one(1.5, 0.5), "an id must be a text, found a number"),
     (one(None, 0.5), "an id must be a text, found nothing"),
     (one(True, 0.5), "an id must be a text, found true or false"),
     (one(["a"], 0.5), "an id must be a text, found a list"),
     (one("a", "0.5"), "a score must be a number, found a text"),
     (one("a", True), "a score must be a number, found true or false"),
     ({"intersentence": [{"id": "a", "score": 1}, {"id": "a", "score": 2}]}, "entry 2: id 'a' has two different")],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(content, message, tmp_path):
    with pytest.raises(InputError, match=message):
        read(tmp_path, content)


scores = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.floats())


@given(scores, scores)
def test_what_is_written_is_read_again(tmp_path, within, between):
    finite = [{name: score for name, score in part.items() if math.isfinite(score)} for part in (within, between)]
    write_predictions(Predictions(*finite), path := tmp_path / "p.json")
    document = json.loads(path.read_text())
    read = {kind: {entry["id"]: entry["score"] for entry in entries} for kind, entries in document.items()}
    written = dict(zip(("intrasentence", "intersentence"), finite, strict=True))
    assert read == {kind: part for kind, part in written.items() if part}, "a task that was skipped has no key"


SAMPLE = Path("data/samples/stereoset/dev.json")
PREDICTIONS = Path("data/samples/stereoset_predictions")
NAME = "english-small_GPT2LM_GPT2LM_d_en.json"


def test_fifteen_terms_have_three_examples_each_without_places_or_lengths_that_tell(examples):
    for found in examples.by_kind.values():
        counts = Counter(example.term for example in found)
        assert len(counts) == 15 and set(counts.values()) == {3}
    assert {example.bias_type for example in examples} == set(BIAS_TYPES)
    for found in examples.by_kind.values():
        for place in range(3):
            labels = Counter(example.candidates[place].gold_label for example in found)
            assert {labels[label] for label in GOLD_LABELS} <= {14, 15, 16}
    for example in examples.intrasentence:
        assert example.context.count("BLANK") == 1
        for candidate in example.candidates:
            assert candidate.sentence == example.context.replace("BLANK", candidate.word)
    for example in examples.intersentence:
        lengths = [len(candidate.sentence.split()) for candidate in example.candidates]
        assert max(lengths) - min(lengths) <= 4, example.id


def test_no_sentence_is_of_the_published_set(examples, shared_data):
    def texts(examples):
        written = [[example.context, *(one.sentence for one in example.candidates)] for example in examples]
        return {" ".join(text.casefold().strip(" .!?").split()) for some in written for text in some}

    assert not texts(examples) & texts(read_examples(shared_data("stereoset") / "dev_en_reconstructed.json.gz"))


@pytest.mark.slow
def test_the_predictions_are_those_of_the_bundled_model(tmp_path):
    options = ["--model", "english-small", "--gold-file", str(SAMPLE), "--output-dir", str(tmp_path)]
    assert main(["stereoset", "predict", *options]) == 0
    ours, theirs = (read_predictions(folder / NAME) for folder in (PREDICTIONS, tmp_path))
    for kind, scores in ours.by_kind.items():
        assert len(scores) == 135 and dict(theirs.by_kind[kind]) == pytest.approx(dict(scores), rel=1e-3)

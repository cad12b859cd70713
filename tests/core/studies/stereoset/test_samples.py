"""Our own sample: harmless, balanced, and nobody else's."""

from collections import Counter
from pathlib import Path

import pytest

from core.cli import main
from core.files.stereoset.examples import BIAS_TYPES, GOLD_LABELS
from core.files.stereoset.reading import read_examples
from core.studies.stereoset.predictions import read_predictions

SAMPLE = Path("data/samples/stereoset/dev.json")
PREDICTIONS = Path("data/samples/stereoset_predictions")
NAME = "english-small_GPT2LM_GPT2LM_d_en.json"


def test_there_are_fifteen_terms_with_three_examples_in_each_task(examples):
    for found in examples.by_kind.values():
        counts = Counter(example.term for example in found)
        assert len(counts) == 15
        assert set(counts.values()) == {3}
    assert {example.bias_type for example in examples} == set(BIAS_TYPES)


def test_no_label_has_a_place_of_its_own(examples):
    for found in examples.by_kind.values():
        for place in range(3):
            labels = Counter(example.candidates[place].gold_label for example in found)
            assert {labels[label] for label in GOLD_LABELS} <= {14, 15, 16}


def test_within_a_sentence_one_word_differs_and_between_sentences_lengths_are_alike(examples):
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
        assert len(scores) == 135
        assert dict(theirs.by_kind[kind]) == pytest.approx(dict(scores), rel=1e-3)

"""The library in a few calls gives what the command line gives."""

import json

import pytest

from core import api
from core.errors import ModelError, PolicyError


def test_score_gives_a_row_per_token(unigram):
    table = api.score(["The cat.", "The horses are tired."], unigram)
    assert table.groupby("item")["token"].apply(list).to_dict() == {
        1: ["the", "cat", "."],
        2: ["the", "horses", "are", "tired", "."],
    }
    assert (table["surprisal_bits"] > 0).all()


def test_benchmark_gives_a_row_per_number(unigram, tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps({"sentence_good": "the cat", "sentence_bad": "the zebra"}))
    metrics = api.benchmark(path, unigram)
    assert metrics.iloc[0][["name", "group", "value", "n"]].tolist() == ["accuracy", "macro", 1.0, 1]


def test_what_does_not_exist_is_refused(unigram):
    with pytest.raises(ModelError, match="nothing"):
        api.score(["x"], "nothing")
    with pytest.raises(ModelError, match="unigram"):
        api.score(["x"], unigram, scorer="causal")
    with pytest.raises(PolicyError, match="Did you mean 'first_token'"):
        api.score(["x"], unigram, first_tokn="none")

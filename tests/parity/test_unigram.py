"""Word frequencies against the formula, worked out by hand on a corpus of ten words."""

import gzip
import json
import math

import pytest

from pairlens.errors import ModelError
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.types import Extras, Request

LISTED = {"the": 4, "cat": 2}
TOKENS, TYPES = 10, 5
"""Beside the listed words, three types with one, one and two occurrences."""


@pytest.fixture
def scorer(tmp_path):
    with gzip.open(tmp_path / "counts.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{word}\t{count}\n" for word, count in LISTED.items())
    (tmp_path / "card.json").write_text(json.dumps({"kind": "unigram", "tokens": TOKENS, "types": TYPES}))
    return SCORERS["unigram"].open(find(tmp_path), Policy())


def test_damaged_counts_are_said_to_be_damaged(scorer, tmp_path):
    counts = tmp_path / "counts.tsv.gz"
    counts.write_bytes(gzip.compress(b"")[:10] + b"\xff" * 20)
    with pytest.raises(ModelError, match="its word counts cannot be read"):
        SCORERS["unigram"].open(find(tmp_path), Policy())


def test_counts_are_smoothed_by_one(scorer):
    (score,) = scorer.score([Request("", "The cat purrs")])
    assert score.logprobs == pytest.approx([math.log(n / 16) for n in (5, 3, 1)])


def test_a_temperature_sharpens_the_probabilities_of_all_outcomes(scorer):
    (score,) = scorer.score([Request("", "The cat purrs")], Extras(temperatures=(0.5, 2.0)))
    outcomes = [5 / 16, 3 / 16, 1 / 16, *[7 / 3 / 16] * 3]
    assert math.fsum(outcomes) == pytest.approx(1)
    for temperature, values in score.tempered.items():
        powers = [share ** (1 / temperature) for share in outcomes]
        assert values == pytest.approx([math.log(power / math.fsum(powers)) for power in powers[:3]])


def test_a_temperature_close_to_nothing_leaves_the_likeliest_word_only(scorer):
    (score,) = scorer.score([Request("", "the cat")], Extras(temperatures=(1e-6,)))
    assert score.tempered[1e-6] == pytest.approx([0, -1e6 * math.log(5 / 3)], rel=1e-9)

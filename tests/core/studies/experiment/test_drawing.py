"""Pairs of an experiment to decide on first: drawn evenly, on sides that tell nothing, counted as chosen."""

from itertools import pairwise

import pandas as pd

from core.studies.experiment.design import typed_design
from core.studies.experiment.tables import MOST, tally, to_predict


def _asked(n):
    return to_predict(typed_design([f"Cat {k} {verb}." for k in range(n) for verb in ("sleeps", "sleep")]))


def test_few_pairs_are_all_asked_for_many_evenly():
    assert len(_asked(3)) == 3
    many = [int(pair[0].split()[1]) for pair in _asked(100)]
    assert len(many) == MOST and many[0] == 0 and many[-1] == 99 and many == sorted(many)
    assert max(b - a for a, b in pairwise(many)) <= 10


def test_the_side_of_the_expected_sentence_is_drawn_always_alike():
    found = _asked(12)
    assert {*found.values()} == {"A", "B"} and found == _asked(12)
    for (a, b), letter in found.items():
        assert ("sleeps" in (a if letter == "A" else b)) and ("sleeps" not in (b if letter == "A" else a))


def test_what_was_chosen_is_counted():
    rows = [("x", "y", "good", "good"), ("u", "v", "bad", "good")]
    said = tally(pd.DataFrame(rows, columns=["good", "bad", "you", "english-small"]), "good")
    assert said == "You chose the good sentence in 1 of 2 pairs; english-small prefers it in 2 of them."

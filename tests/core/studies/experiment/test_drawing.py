"""Pairs of an experiment to decide on first: drawn evenly, on sides that tell nothing, counted as chosen."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd

from core.studies.experiment.columns import guess_columns
from core.studies.experiment.design import read_design
from core.studies.experiment.tables import MOST, tally, to_predict


def _design(n: int) -> object:
    rows = [
        {"sentid": 2 * k + side, "pairid": k, "comparison": name, "sentence": f"Cat {k} {verb}."}
        for k in range(n)
        for side, (name, verb) in enumerate((("expected", "sleeps"), ("unexpected", "sleep")))
    ]
    table = pd.DataFrame(rows).astype("str")
    return read_design(table, guess_columns(table))


def test_few_pairs_are_all_asked_for_many_evenly():
    assert len(to_predict(_design(3))) == 3  # type: ignore[arg-type]
    many = [int(pair[0].split()[1]) for pair in to_predict(_design(100))]  # type: ignore[arg-type]
    assert len(many) == MOST and many[0] == 0 and many[-1] == 99 and many == sorted(many)
    assert max(b - a for a, b in pairwise(many)) <= 10


def test_the_side_of_the_expected_sentence_is_drawn_always_alike():
    found = to_predict(_design(12))  # type: ignore[arg-type]
    assert {*found.values()} == {"A", "B"} and found == to_predict(_design(12))  # type: ignore[arg-type]
    for (a, b), letter in found.items():
        assert ("sleeps" in (a if letter == "A" else b)) and ("sleeps" not in (b if letter == "A" else a))


def test_what_was_chosen_is_counted():
    table = pd.DataFrame(
        [("x", "y", "good", "good"), ("u", "v", "bad", "good")], columns=["good", "bad", "you", "english-small"]
    )
    assert (
        tally(table, "good") == "You chose the good sentence in 1 of 2 pairs; english-small prefers it in 2 of them."
    )

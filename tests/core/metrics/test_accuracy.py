"""Accuracy per item: ties, exclusions, several candidates, means, and what it must equal in closed form."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.measures import PRECISION
from pairlens.metrics import METRICS
from pairlens.policies import preset
from tests.candidate_table import candidate_table, item

ACCURACY = METRICS["accuracy"]
POLICY = preset("pairlens")


def table(*values, lengths=(5, 5, 5, 5)):
    """One item per tuple of log-probabilities, the right candidate's first."""
    items = [item(f"i{number}", len(row)) for number, row in enumerate(values)]
    scores = {(entry.id, c.label): row[k] for entry, row in zip(items, values, strict=True)
              for k, c in enumerate(entry.candidates)}  # fmt: skip
    places = {f"option {k}": k for k in range(4)}
    return candidate_table(items, lambda i, c: (scores[i.id, c.label], lengths[places[c.label]]))


def correct(frame, policy=POLICY):
    return ACCURACY.statistics(frame, policy)["correct"].tolist()


def test_margins_and_ties_of_two_or_more_candidates_means_per_token_and_length_only():
    frame = table((-1.0, -2.0), (-2.0, -1.0), (-1.0, -1.0))
    assert ACCURACY.statistics(frame, POLICY)["margin"].tolist() == [1, -1, 0]
    statistics = ACCURACY.statistics(table((-math.inf, -1.0), (-1.0, -math.inf), (-math.inf, -math.inf)), POLICY)
    assert statistics["correct"].tolist() == [0, 1, 0.5]
    frame = table((-1.0, -1.0, -1.0, -1.0), (-1.0, -1.0, -3.0), (-1.0, -0.5, -0.5), (-1.0, -2.0, -2.0))
    assert ACCURACY.statistics(frame, POLICY)["tie"].tolist() == [True, True, False, False]
    frame = table((-6.0, -8.0), lengths=(2, 4))
    assert correct(frame) == [1]
    assert correct(frame, POLICY.but(sentence_value="mean")) == [0]
    frame["n_tokens"] += 1
    frame.loc[1, ["logprob", "n_scored", "n_tokens"]] = [-6.1, 2, 9]
    assert correct(frame, POLICY.but(sentence_value="mean")) == [1]
    assert correct(frame, POLICY.but(sentence_value="mean", first_token="one")) == [0]
    for lengths, expected in (((4, 5), 1), ((5, 4), 0), ((5, 5), 0.5), ((4, 4, 4), 1 / 3), ((4, 5, 4), 0.5)):
        statistics = ACCURACY.statistics(table(tuple(-1.0 for _ in lengths), lengths=lengths), POLICY)
        assert statistics["length_only"].tolist() == [expected]


def test_a_difference_within_precision_is_undecided_but_no_tie_and_what_has_no_score_is_excluded_with_the_reason():
    differences = (PRECISION / 2, -PRECISION / 2, 0, 1.5 * PRECISION)
    frame = table(*((-1.0, -1.0 - difference) for difference in differences))
    statistics = ACCURACY.statistics(frame, POLICY)
    assert statistics["undecided"].tolist() == [True, True, False, False]
    assert statistics["tie"].tolist() == [False, False, True, False]
    assert statistics["correct"].tolist() == [1, 0, 0.5, 1]
    frame = table((-1.0, math.nan), (math.nan, -1.0), (-1.0, -2.0), (-1.0,))
    frame.loc[frame["item"] == "i2", "gold"] = None
    statistics = ACCURACY.statistics(frame, POLICY)
    reasons = ["it has not exactly one right candidate", "it has fewer than two candidates"]
    assert statistics["excluded"].tolist() == [*["a candidate could not be scored"] * 2, *reasons]
    assert statistics[["correct", "margin", "length_only"]].isna().all().all()
    assert not statistics["tie"].any() and not statistics["undecided"].any()
    assert math.isnan(ACCURACY.value(statistics))


def slow_accuracy(values, ties):
    """The definition, one item at a time."""
    best = max(values)
    if values[0] < best:
        return 0
    sharing = values.count(best)
    return {"half": 1 / sharing, "correct": 1.0, "wrong": float(sharing == 1)}[ties]


scores = st.lists(st.sampled_from([-3.0, -2.5, -2.0, -1.0]), min_size=2, max_size=4)


@pytest.mark.slow
@given(st.lists(scores, min_size=1, max_size=12), st.sampled_from(["half", "correct", "wrong"]))
def test_equals_the_definition(rows, ties):
    expected = [slow_accuracy(row, ties) for row in rows]
    assert correct(table(*map(tuple, rows)), POLICY.but(ties=ties)) == expected

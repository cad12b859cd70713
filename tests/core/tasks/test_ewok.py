"""EWoK: its reader, which keeps texts out of everything shown, and its three numbers, worked out by hand."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pairlens.metrics import METRICS
from pairlens.policies import preset
from pairlens.types import Candidate, Item
from tests.candidate_table import candidate_table
from tests.records import read, write

POLICY = preset("pairlens")
RECORD = {
    "Domain": "weather", "ContextType": "direct", "ContextDiff": "antonym", "TargetDiff": "concept swap",
    "Context1": "It rains.", "Context2": "It is dry.", "Target1": "Ann is wet.", "Target2": "Ann is dusty.",
}  # fmt: skip
TWIN = RECORD | {
    "Context1": "It is dry.", "Context2": "It rains.", "Target1": "Ann is dusty.", "Target2": "Ann is wet.",
}  # fmt: skip
LABELS = ("T1|C1", "T2|C1", "T1|C2", "T2|C2")


def test_a_record_becomes_an_item_of_both_targets_after_both_contexts(tmp_path):
    (item,) = read("ewok", write(tmp_path / "x.jsonl", RECORD))
    assert item.id == "weather_0" and item.gold is None
    assert [(c.label, c.context, c.text) for c in item.candidates] == [
        ("T1|C1", "It rains.", " Ann is wet."), ("T2|C1", "It rains.", " Ann is dusty."),
        ("T1|C2", "It is dry.", " Ann is wet."), ("T2|C2", "It is dry.", " Ann is dusty."),
    ]  # fmt: skip
    assert item.groups == {
        "UID": "weather", "context_type": "direct", "context_contrast": "antonym", "target_contrast": "concept swap",
        "contrast": "1",
    }  # fmt: skip


def test_items_share_requests_with_their_swapped_twin(tmp_path):
    other = RECORD | {"Target2": "Ann is dry."}
    crossed = RECORD | {"Context1": "It is dry.", "Context2": "It rains."}
    items = read("ewok", write(tmp_path / "x.jsonl", RECORD, other, TWIN, crossed))
    assert [item.groups["contrast"] for item in items] == ["1", "2", "1", "3"]
    first, _, twin, _ = ({(c.context, c.text) for c in item.candidates} for item in items)
    assert first == twin


def table(*rows):
    candidates = tuple(Candidate(label, label) for label in LABELS)
    items = [Item(f"i{number}", candidates, None, {"UID": "d"}) for number in range(len(rows))]
    scores = {(i.id, label): row[k] for i, row in zip(items, rows, strict=True) for k, label in enumerate(LABELS)}
    return candidate_table(items, lambda i, c: (scores[i.id, c.label], 5))


def counted(metric, *rows, policy=POLICY):
    return METRICS[metric].statistics(table(*rows), policy)["correct"].tolist()


FOLLOWS = (-1.0, -2.0, -2.0, -1.0)
OPPOSES = (-2.0, -1.0, -1.0, -2.0)
T1_ALWAYS = (-1.0, -3.0, -2.0, -4.0)
"""T1 wins in both contexts; it is likelier after its own, T2 (-4 after C2, -3 after C1) is not."""
C1_ALWAYS = (-1.0, -2.0, -4.0, -3.0)
"""Everything is likelier after C1, but the right target wins in each context."""
ONE_TIE = (-2.0, -2.0, -3.0, -1.0)
"""The targets tie after C1 only; each is likelier after its own context."""
ALIKE = (-1.0, -1.0, -1.0, -1.0)
ROWS = (FOLLOWS, OPPOSES, T1_ALWAYS, C1_ALWAYS, ONE_TIE, ALIKE)


def test_margins_by_hand_chance_is_half_and_what_whole_texts_say_nothing_about():
    found = {name: METRICS[name].statistics(table(*ROWS), POLICY) for name in METRICS_OF_EWOK}
    assert all((one[["chance", "length_only"]] == 0.5).all(axis=None) for one in found.values())
    assert {name: one["margin"].tolist() for name, one in found.items()} == {
        "same_context": [1, -1, 2, 1, 0, 0], "same_target": [1, -1, 0, 1, 1, 0], "target_bias": [-1, -1, 2, -1, 0, 0],
    }  # fmt: skip
    assert METRICS["same_target"].under == ("conditional",)
    assert METRICS["target_bias"].under == ("conditional", "pmi")
    assert METRICS["same_context"].under == ()


METRICS_OF_EWOK = ("same_context", "same_target", "target_bias")


def test_ties_count_as_the_policy_says_what_is_close_is_undecided_and_what_has_no_score_excluded():
    one_side = (-1.0, -2.0, -1.0, -0.5)  # T1 is as likely after both contexts, T2 likelier after its own
    for ties, expected in (("half", 0.75), ("correct", 1.0), ("wrong", 0.5)):
        assert counted("same_target", one_side, policy=POLICY.but(ties=ties)) == [expected]
        assert counted("target_bias", ONE_TIE, ALIKE, policy=POLICY.but(ties=ties)) == [0.5, 0.5]
    assert counted("same_context", ALIKE, policy=POLICY.but(ties="correct")) == [1]
    statistics = METRICS["same_target"].statistics(table(one_side, FOLLOWS), POLICY)
    assert statistics["tie"].tolist() == [True, False]
    close, close_and_tied = (-1.0, -2.0, -1.00001, -1.0), (-1.0, -2.0, -1.00001, -2.0)
    statistics = METRICS["same_target"].statistics(table(close, close_and_tied, FOLLOWS), POLICY)
    assert statistics["undecided"].tolist() == [True, False, False]
    assert statistics["tie"].tolist() == [False, True, False]
    for place, without in ((0, METRICS_OF_EWOK), (2, ("same_target", "target_bias"))):
        row = list(FOLLOWS)
        row[place] = math.nan
        for name in METRICS_OF_EWOK:
            statistics = METRICS[name].statistics(table(FOLLOWS, row), POLICY)
            assert statistics["excluded"].notna().tolist() == [False, name in without]
            assert statistics["correct"].isna().tolist() == [False, name in without]


score = st.sampled_from([-3.0, -2.5, -2.0, -1.0])


@pytest.mark.slow
@settings(max_examples=settings.default.max_examples // 4)
@given(st.lists(st.tuples(score, score, score, score), min_size=1, max_size=40))
def test_equals_the_definitions_and_a_twin_counts_as_much(rows):
    def won(one, other):
        return (one > other) + (one == other) / 2

    own = {name: counted(name, *rows) for name in METRICS_OF_EWOK}
    assert own == {
        "same_context": [won(a, b) for a, b, _, _ in rows],
        "same_target": [(won(a, c) + won(d, b)) / 2 for a, b, c, d in rows],
        "target_bias": [won(a, b) * won(c, d) + (1 - won(a, b)) * (1 - won(c, d)) for a, b, c, d in rows],
    }
    twins = [(d, c, b, a) for a, b, c, d in rows]
    for name in ("same_target", "target_bias"):
        assert counted(name, *twins) == own[name]

"""Wug tests: their reader, the correlation with people, and the older share of first forms."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset
from pairlens.types import Candidate, Item
from tests.candidate_table import candidate_table
from tests.records import read, write

POLICY = preset("pairlens")
RHO = METRICS["human_correlation"]


@pytest.mark.parametrize("task", ["wug_adj", "wug_past"])
def test_a_record_becomes_an_item(task, tmp_path):
    path = write(tmp_path / "made_up.jsonl", {"sentences": "It snared.\tIt snore.", "ratio": 0.7272727272727273})
    (item,) = read(task, path)
    assert item.id == "made_up_0" and item.gold == "first"
    forms = [(c.label, c.context, c.text) for c in item.candidates]
    assert forms == [("first", "", "It snared."), ("second", "", "It snore.")]
    assert item.groups == {"UID": "made_up", "ratio": "0.7272727272727273"}


@pytest.mark.parametrize(
    ("ratio", "gold", "kept"),
    [(1, "first", "1.0"), (0.51, "first", "0.51"), (0.5, None, "0.5"), (0.0, "second", "0.0"),
     (" 1e-1", "second", "0.1")],
)  # fmt: skip
def test_the_right_form_is_what_most_people_chose(ratio, gold, kept, tmp_path):
    (item,) = read("wug_adj", write(tmp_path / "x.jsonl", {"sentences": "a\tb", "ratio": ratio}))
    assert (item.gold, item.groups["ratio"]) == (gold, kept)


def table(differences, ratios):
    """One item per difference S(first) - S(second)."""
    forms = (Candidate("a", "first"), Candidate("b", "second"))
    items = [Item(f"i{n}", forms, None, {"UID": "x", "ratio": repr(ratio)}) for n, ratio in enumerate(ratios)]
    return candidate_table(items, lambda i, c: (-50 + differences[int(i.id[1:])] * (c.label == "first"), 3))


def test_the_correlation_and_the_share_of_first_forms_by_hand():
    """Ranks 1 2 3 4 against 2 1 4 3: rho = 1 - 6 * (1 + 1 + 1 + 1) / (4 * 15) = 0.6."""
    statistics = RHO.statistics(table([-1.0, 0.5, 2.0, 3.0], [0.2, 0.1, 0.9, 0.8]), POLICY)
    assert RHO.value(statistics) == pytest.approx(0.6, abs=1e-12)
    assert statistics["difference"].tolist() == [-1, 0.5, 2, 3]
    assert statistics["probability"].tolist() == pytest.approx([1 / (1 + math.exp(-d)) for d in (-1, 0.5, 2, 3)])
    assert statistics["human"].tolist() == [0.2, 0.1, 0.9, 0.8]
    assert statistics["chance"].tolist() == [0] * 4 and statistics["length_only"].isna().all()
    frame = table([1.0, 2.0, 0.0, -1.0], [0.1, 0.9, 0.2, 0.4])
    first = METRICS["first_form"]
    assert first.statistics(frame, POLICY)["correct"].tolist() == [1, 1, 0.5, 0]
    assert first.value(first.statistics(frame, POLICY.but(ties="correct"))) == 0.75


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(-8, 8), st.integers(0, 5)), min_size=3, max_size=20))
def test_it_is_spearmans_rho_of_the_softmax(pairs):
    differences, ratios = [a / 4 for a, _ in pairs], [b / 5 for _, b in pairs]
    value = RHO.value(RHO.statistics(table(differences, ratios), POLICY))
    if len(set(differences)) == 1 or len(set(ratios)) == 1:
        assert math.isnan(value)
        return
    scores = np.array([[d, 0.0] for d in differences])
    softmax = (np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))[:, 0]
    ranks = stats.rankdata(softmax.round(12)), stats.rankdata(ratios)
    assert value == pytest.approx(np.corrcoef(*ranks)[0, 1])


@pytest.mark.filterwarnings("error")
def test_preferences_that_the_softmax_hides_are_told_apart_and_unscored_or_equal_ones_have_a_reason():
    statistics = RHO.statistics(table([40.0, 45.0, 49.0], [0.1, 0.5, 0.9]), POLICY)
    assert statistics["probability"].nunique() == 1
    assert RHO.value(statistics) == pytest.approx(1)
    unscored = RHO.statistics(table([-1.0, 0.5, 2.0, math.nan], [0.2, 0.1, 0.9, 0.0]), POLICY)
    assert unscored["excluded"].notna().tolist() == [False, False, False, True]
    assert RHO.value(unscored) == pytest.approx(0.5)
    alike = "the model's preferences are the same for all items"
    for differences, ratios, reason in (
        ([0.0, 0.0, 0.0], [0.1, 0.5, 0.9], alike), ([1.0], [0.4], alike),
        ([1.0, 2.0, 3.0], [0.4, 0.4, 0.4], "people's choices are the same for all items"),
    ):  # fmt: skip
        statistics = RHO.statistics(table(differences, ratios), POLICY)
        assert math.isnan(RHO.value(statistics)) and set(statistics["excluded"]) == {reason}


@pytest.mark.parametrize(("model", "expected"), [("mamba-8192-warmup", 62.00), ("opt-128-warmup", 47.50)])
def test_released_reports_are_the_share_of_first_forms(model, expected, shared_data):
    """From the released predictions; the number that the released report prints, also by value of `ratio`."""
    folder = shared_data(f"babylm_results/{model}/main/zero_shot/causal/wug/wug_adj_nominalization")
    items = read("wug_adj", shared_data("babylm/evaluation_data/full_eval/wug_adj_nominalization"))
    predicted = json.loads((folder / "predictions.json").read_text("utf-8"))["wug_adj_nominalization"]["predictions"]
    chosen = {entry["id"]: entry["pred"] for entry in predicted}
    assert list(chosen) == [item.id for item in items]
    assert all(chosen[item.id] in [c.text for c in item.candidates] for item in items)
    frame = candidate_table(items, lambda i, c: (float(c.text == chosen[i.id]), 1))
    metric = METRICS["first_form"]
    statistics = metric.statistics(frame, preset("babylm-2025"))
    assert round(100 * metric.value(statistics), 2) == expected
    by_ratio = [f"{name}: {100 * mean:.2f}" for name, mean in statistics.groupby("ratio")["correct"].mean().items()]
    report = (folder / "best_temperature_report.txt").read_text("utf-8")
    assert f"{expected:.2f}" in report and set(by_ratio) <= set(report.splitlines()) and len(by_ratio) == 14


def test_published_file(shared_data):
    items = read("wug_adj", shared_data("babylm/evaluation_data/full_eval/wug_adj_nominalization"))
    assert len(items) == 200 and {item.groups["UID"] for item in items} == {"wug_adj_nominalization"}
    theirs = {word.strip(".") for item in items for c in item.candidates for word in c.text.split()[-2:]}
    ours = read("wug_adj", ROOT / "data" / "samples" / "wug_adj")
    assert not theirs & {c.text.split()[-1].strip(".") for item in ours for c in item.candidates}

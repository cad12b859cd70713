"""The table of a run's numbers: macro and micro, groups, counts, what is published beside it."""

import json
import math

import pandas as pd
import pytest

from pairlens.analysis.items import items_by_margin, undecided
from pairlens.analysis.summary import headline, mean_of_means, summarise, summary_in_words
from pairlens.measures import LN2
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset
from pairlens.tasks import TASKS
from pairlens.types import Candidate, Item
from tests.candidate_table import candidate_table

POLICY = preset("pairlens")
BLIMP = TASKS["blimp"]


def minimal_pair(uid, number, term="t", field="f"):
    groups = {"UID": uid, "linguistics_term": term, "field": field, "contrast": f"{number}|", "pairID": str(number)}
    texts = (Candidate(f"good {uid} {number}", "good"), Candidate(f"bad {uid} {number}", "bad"))
    return Item(f"{uid}_{number}", texts, "good", groups)


def pairs(**n):
    return [minimal_pair(uid, number, term=uid[0]) for uid, count in n.items() for number in range(count)]


def with_right(items, right):
    return candidate_table(items, lambda item, c: (-1.0 if (c.label == "good") == right(item) else -2.0, 5))


def row(metrics, group_by, group, over="items"):
    (index,) = metrics.index[
        (metrics["group_by"] == group_by) & (metrics["group"] == group) & (metrics["over"] == over)
    ]
    return metrics.loc[index]


def test_macro_micro_and_groups():
    """a1 all right (8 items), a2 none (2), b1 half (4): macro 1/2, micro 10/14; term a is a1 and a2."""
    candidates = with_right(pairs(a1=8, a2=2, b1=4), lambda i: i.groups["UID"] == "a1" or i.id in {"b1_0", "b1_1"})
    metrics = summarise(candidates, BLIMP, POLICY)
    assert row(metrics, "overall", "macro")["value"] == pytest.approx(0.5)
    assert row(metrics, "overall", "macro", "paradigms")["value"] == pytest.approx(0.5)
    assert row(metrics, "overall", "micro")["value"] == pytest.approx(10 / 14)
    assert [row(metrics, "UID", uid)["value"] for uid in ("a1", "a2", "b1")] == [1, 0, 0.5]
    for key in (("linguistics_term", "a"), ("linguistics_term", "b"), ("field", "f")):
        assert row(metrics, *key)["value"] == pytest.approx(0.5)
    keys = ("overall", "macro"), ("UID", "a2"), ("linguistics_term", "a")
    assert [row(metrics, *key)["n"] for key in keys] == [14, 2, 10]
    assert len(metrics) == 3 + 3 + 2 + 1
    assert row(metrics, "overall", "macro", "paradigms")["n_clusters"] == 3
    assert ((metrics["low"] <= metrics["value"]) & (metrics["value"] <= metrics["high"])).all()


def test_counts_and_exclusions_and_no_number_where_nothing_is_scored():
    candidates = with_right(pairs(a1=5, b1=1), lambda i: True)
    candidates.loc[candidates["item"] == "a1_0", "logprob"] = -3.0
    candidates.loc[(candidates["item"] == "a1_1") & (candidates["label"] == "bad"), "logprob"] = -1.00005
    candidates.loc[candidates["item"] == "a1_2", "logprob"] = math.nan
    candidates.loc[candidates["item"] == "b1_0", "logprob"] = math.nan
    metrics = summarise(candidates, BLIMP, POLICY)
    top = row(metrics, "overall", "macro")
    assert (top["n"], top["ties"], top["undecided"], top["excluded"]) == (4, 1, 1, 2)
    assert top["value"] == pytest.approx(3.5 / 4)
    empty = row(metrics, "UID", "b1")
    assert math.isnan(empty["value"]) and (empty["n"], empty["excluded"]) == (0, 1)
    assert math.isnan(empty["low"]) and math.isnan(empty["high"])
    candidates = with_right(pairs(a1=2), lambda i: True).assign(logprob=math.nan)
    metrics = summarise(candidates, BLIMP, POLICY)
    assert headline(metrics)["value"] is None
    assert summary_in_words(metrics.iloc[0]) == "accuracy: no number (0 items count, 2 do not)"
    json.dumps(headline(metrics), allow_nan=False)


def test_the_headline_in_words_and_items_of_one_contrast_that_widen_its_interval():
    metrics = summarise(with_right(pairs(a1=8, a2=2), lambda i: i.groups["UID"] == "a1"), BLIMP, POLICY)
    assert headline(metrics)["value"] == 0.5 and headline(metrics)["n"] == 10
    assert summary_in_words(metrics.iloc[0]).startswith(
        "accuracy 50.00 % (95 % interval 1.6 % to 98.4 %, over 8 independent contrasts, worth 2 of equal size, "
        "too few to rely on), 10 items"
    )
    candidates = with_right(pairs(a1=200), lambda i: int(i.groups["pairID"]) % 20 < 10)
    alone = row(summarise(candidates, BLIMP, POLICY), "UID", "a1")
    shared = candidates.assign(contrast=(candidates["pairID"].astype(int) % 20).astype(str))
    clustered = row(summarise(shared, BLIMP, POLICY), "UID", "a1")
    assert (alone["n_clusters"], clustered["n_clusters"]) == (200, 20)
    assert clustered["high"] - clustered["low"] > 2.5 * (alone["high"] - alone["low"])


def test_items_by_margin_stand_beside_the_best_of_the_others_without_confidential_texts():
    items = pairs(a1=3)
    nats = {"a1_0": 2.0, "a1_1": -3.0, "a1_2": 0.0}
    candidates = candidate_table(items, lambda i, c: (-9.0 + (nats[i.id] if c.label == "good" else 0.0), 5))
    table = items_by_margin(candidates, BLIMP, POLICY)
    assert table["item"].tolist() == ["a1_1", "a1_2", "a1_0"]
    assert table["margin"].tolist() == pytest.approx([-3 / LN2, 0, 2 / LN2])
    assert table["correct"].tolist() == [0, 0.5, 1] and table["tie"].tolist() == [False, True, False]
    texts = [[f"{side} a1 {n}" for side in ("good", "bad")] for n in (1, 2, 0)]
    assert table[["right", "rival"]].to_numpy().tolist() == texts
    assert table["linguistics_term"].tolist() == ["a"] * 3
    texts = tuple(Candidate(name, name) for name in ("gold", "poor", "strong"))
    scores = {"gold": -3.0, "poor": -9.0, "strong": -2.0}
    candidates = candidate_table([Item("i", texts, "gold", {"UID": "u"})], lambda _, c: (scores[c.text], 1))
    assert items_by_margin(candidates, BLIMP, POLICY)[["right", "rival"]].to_numpy().tolist() == [["gold", "strong"]]
    candidates = with_right(pairs(a1=2), lambda i: True).assign(text=None)
    assert items_by_margin(candidates, BLIMP, POLICY)[["right", "rival"]].isna().all().all()
    assert undecided(candidates.assign(logprob=-1.0), BLIMP, POLICY)["texts"].isna().all()


@pytest.mark.slow
def test_entity_tracking_averages_splits_not_cells_and_a_mean_of_means_by_hand():
    """Two regular cells (100 %, 50 %) and one ambiref cell (40 %): 57.5 %, where the mean of cells is 63.3 %."""
    right = {"regular_0_ops": 2, "regular_1_ops": 1, "ambiref_0_ops": 2}
    items = []
    for uid, n, n_options in (("regular_0_ops", 2, 5), ("regular_1_ops", 2, 5), ("ambiref_0_ops", 5, 2)):
        options = tuple(Candidate(f"text {k}", f"option {k + 1}", "context") for k in range(n_options))
        groups = {"UID": uid, "split": uid.partition("_")[0]}
        items += [Item(f"{uid}_{number}", options, "option 1", groups) for number in range(n)]

    def score(item, candidate):
        is_right = int(item.id.rpartition("_")[2]) < right[item.groups["UID"]]
        return (-1.0 if (candidate.label == "option 1") == is_right else -2.0), 3

    metrics = summarise(candidate_table(items, score), TASKS["entity_tracking"], POLICY)
    top = row(metrics, "overall", "macro")
    assert top["value"] == pytest.approx(0.575)
    assert top["chance"] == pytest.approx((0.2 + 0.5) / 2)
    assert row(metrics, "split", "regular")["value"] == pytest.approx(0.75)
    assert top["low"] < 0.575 < top["high"]
    # Outer a: inner x (1, 0) and y (1) -> 0.75; outer b: 0; the mean is 0.375.
    rows = [("a", "x", 1.0), ("a", "x", 0.0), ("a", "y", 1.0), ("b", "z", 0.0)]
    frame = pd.DataFrame(rows, columns=["outer", "inner", "correct"])
    assert mean_of_means(frame, ["outer", "inner"]) == 0.375
    assert mean_of_means(frame, ["inner"]) == pytest.approx(0.5)
    assert mean_of_means(frame, []) == 0.5
    assert math.isnan(mean_of_means(frame.iloc[:0], ["outer", "inner"]))
    ewok = TASKS["ewok"]
    items = list(ewok.read(ROOT / "data" / "samples" / "ewok"))
    candidates = candidate_table(items, lambda item, c: (-float(len(c.text)), 3))
    assert set(summarise(candidates, ewok, POLICY)["name"]) == set(ewok.metrics)
    assert set(summarise(candidates, ewok, POLICY, "joint")["name"]) == {"same_context"}


@pytest.mark.slow
def test_a_number_that_is_no_mean_has_one_row_and_an_interval():
    wug = TASKS["wug_adj"]
    items = [
        Item(f"w_{n}", (Candidate(f"a{n}", "first"), Candidate(f"b{n}", "second")), "first", {"UID": "w", "ratio": r})
        for n, r in enumerate(["0.1", "0.3", "0.6", "0.8", "0.9", "1.0"])
    ]
    ranks = {"w_0": 2, "w_1": 1, "w_2": 3, "w_3": 4, "w_4": 6, "w_5": 5}
    candidates = candidate_table(items, lambda i, c: (ranks[i.id] * (c.label == "first"), 2))
    metrics = summarise(candidates, wug, POLICY)
    (rows,) = [metrics[metrics["name"] == "human_correlation"]]
    assert len(rows) == 1 and rows.iloc[0]["group"] == "all"
    assert rows.iloc[0]["value"] == pytest.approx(1 - 6 * 4 / (6 * 35)) and rows.iloc[0]["n_clusters"] == 6
    assert rows.iloc[0]["low"] < rows.iloc[0]["value"] < rows.iloc[0]["high"] < 1

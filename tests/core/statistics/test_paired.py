"""Paired comparison against statsmodels, against permutations, against plain bootstraps, and by hand."""

import dataclasses
import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pairlens.analysis.paired import margins, paired, refuse_unlike
from pairlens.analysis.summary import generalises_over, summarise
from pairlens.errors import InputError, StoreError
from pairlens.policies import PRESETS
from pairlens.statistics.paired import Discordant, compare, difference_over_items, discordant, exchanged, holm
from pairlens.tasks import TASKS
from tests.candidate_table import candidate_table, item

POLICIES = (PRESETS["pairlens"], PRESETS["pairlens"])
PAIRS = TASKS["pairs"]


def run(margins, **groups):
    """A run of two candidates per item whose right one is ahead by so many nats; `u` holds the item's paradigm."""
    items = [item(name, 2, **{key: values[name] for key, values in groups.items()}) for name in margins]
    return candidate_table(items, lambda i, c: (-10.0 + (c.label == "option 0") * margins[i.id], 5))


def column(values):
    return pd.Series(np.asarray(values, dtype=float))


def test_mcnemar_with_half_credit_on_neither_side_and_bonett_and_prices_interval_of_independent_items():
    """Nine against one: 2 (1 + 10) / 2^10. Of 50 items the first run alone has 12 right, the second alone 4."""
    assert Discordant(9, 1).p == pytest.approx(22 / 1024)
    assert Discordant(0, 0).p == 1.0
    found = discordant(column([1, 1, 0.5, 0.5, 0, 1 / 3]), column([0, 0.5, 0, 1, 1, 0]))
    assert found == Discordant(1, 1)
    differences = column([1] * 12 + [-1] * 4 + [0] * 34)
    interval = difference_over_items(differences, pd.Series(["s"] * 50), pd.Series(range(50)))
    only_a, only_b = 13 / 52, 5 / 52
    error = math.sqrt((only_a + only_b - (only_a - only_b) ** 2) / 52)
    reach = stats.t.ppf(0.975, 49) * error
    expected = (only_a - only_b - reach, only_a - only_b + reach)
    assert (interval.low, interval.high) == pytest.approx(expected, abs=0.004)


@given(st.lists(st.floats(0, 1), max_size=30))
def test_holm_by_its_definition(p_values):
    """In order of size, p times the number of tests that are left, and never smaller than the one before."""
    expected, largest = dict.fromkeys(range(len(p_values)), 0.0), 0.0
    for rank, place in enumerate(np.argsort(p_values, kind="stable")):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        expected[int(place)] = largest
    corrected = holm(np.array([*p_values, np.nan]))
    assert corrected.tolist() == pytest.approx([*expected.values(), math.nan], nan_ok=True)


@pytest.mark.slow
def test_the_interval_is_a_plain_paired_bootstrap_of_whole_clusters():
    generator = np.random.default_rng(7)
    clusters = np.repeat(np.arange(50), generator.integers(1, 7, 50))
    a = (generator.random(len(clusters)) < 0.8) * 1.0
    b = (generator.random(len(clusters)) < 0.6) * 1.0
    draws = []
    for _ in range(1500):
        rows = np.concatenate([np.flatnonzero(clusters == one) for one in generator.integers(50, size=50)])
        draws.append(a[rows].mean() - b[rows].mean())
    interval = difference_over_items(column(a - b), pd.Series(0, index=range(len(a))), pd.Series(clusters))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(draws, [0.025, 0.975])), abs=0.02)
    assert interval.n_clusters == 50


@pytest.mark.parametrize("constant", [0.0, 1.0, -1.0, 0.5])
def test_equal_differences_are_not_a_point(constant):
    interval = difference_over_items(column([constant] * 20), pd.Series(["s"] * 20), pd.Series(range(20)))
    centre, differing = constant * 20 / 22, (abs(constant) * 20 + 2) / 22
    reach = stats.norm.ppf(0.975) * math.sqrt((differing - centre**2) / 22)
    expected = (max(-1, centre - reach), min(1, centre + reach))
    assert (interval.low, interval.high) == pytest.approx(expected)
    assert interval.low <= constant <= interval.high


def test_what_is_tested_is_what_is_estimated_and_weighted_exchange_that_of_every_way_to_exchange():
    """B is better by the macro mean, A has more wins: both are said of the mean, not one of each."""
    strata = pd.Series(["large"] * 300 + ["small"] * 20 + ["other"] * 20)
    b_minus_a = column([-1] * 30 + [0] * 270 + [1] * 8 + [0] * 12 + [1] * 8 + [0] * 12)
    found = compare((b_minus_a > 0) * 1.0, (b_minus_a < 0) * 1.0, pd.Series(range(340)), strata)
    assert found.interval.low > 0 and found.p < 0.001
    assert found.discordant.only_a < found.discordant.only_b, "unweighted, A has more wins"
    assert exchanged(b_minus_a, pd.Series(range(340))) > 0.05
    singles = [1] * 21_500 + [-1] * 18_500
    clusters = pd.Series([0] * 2_000 + [*range(1, 40_001)])
    assert exchanged(column([1] * 2_000 + singles), clusters) < 1e-6
    generator = np.random.default_rng(4)
    for shares in (np.repeat([0.01, 0.02, 0.05], 8), np.repeat(generator.random(8), 3), np.full(24, 1 / 24)):
        differences, clusters = generator.integers(-2, 3, 24) / 2, pd.Series(np.repeat(range(12), 2))
        sums = np.bincount(clusters, differences * shares)
        totals = np.array(list(itertools.product((1, -1), repeat=12))) @ sums
        as_far = np.mean(np.abs(totals) >= abs(sums.sum()) - 1e-12)
        assert exchanged(pd.Series(differences), clusters, shares) == pytest.approx(as_far, abs=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize("draws", [50, pytest.param(1_000, marks=pytest.mark.soak)])
def test_runs_that_are_alike_are_told_apart_as_often_as_said(draws):
    """Strata of very different sizes; clusters of three items that one run or the other happens to prefer."""
    generator, rejected, missed = np.random.default_rng(8), 0, 0
    sizes = (90, 24, 6)
    strata, clusters = pd.Series(np.repeat(range(3), sizes)), pd.Series(np.arange(120) // 3)
    for _ in range(draws):
        leaning = np.repeat(generator.normal(0, 0.25, 40), 3)
        drawn = generator.random(120)
        a, b = (drawn < 0.25 + leaning / 2) * 1.0, (drawn > 0.75 + leaning / 2) * 1.0
        found = compare(pd.Series(a), pd.Series(b), clusters, strata)
        rejected += found.p <= 0.05
        missed += not found.interval.low <= 0 <= found.interval.high
    assert rejected <= 0.08 * draws and missed <= 0.08 * draws


def test_rows_by_hand_of_a_run_against_itself_and_without_items_that_one_could_not_score():
    """Two paradigms of four and two items: 3/4 and 1/2 against 1/4 and 1/2."""
    where = dict(zip("abcdef", "ppppqq", strict=True))
    ahead = (1, 1, 1, -1, 1, -1), (1, -1, -1, -1, -1, 1)
    first, second = (run(dict(zip("abcdef", margins, strict=True)), UID=where) for margins in ahead)
    rows = paired(first, second, PAIRS, POLICIES).set_index("group")
    overall, p, q = rows.loc["macro"], rows.loc["p"], rows.loc["q"]
    assert (overall["value_a"], overall["value_b"], overall["difference"]) == pytest.approx((0.625, 0.375, 0.25))
    assert (overall["only_a"], overall["only_b"], overall["n"]) == (3, 1, 6)
    assert overall["p"] == overall["p_holm"] == pytest.approx(12 / 16), "eighths of 1, 1, 2 and -2: 12 sums beyond 1"
    assert (p["only_a"], p["only_b"], p["p"]) == (2, 0, pytest.approx(0.5))
    assert (q["only_a"], q["only_b"], q["p"], q["p_holm"]) == (1, 1, 1.0, 1.0)
    assert p["p_holm"] == pytest.approx(1.0)
    assert overall["low"] <= 0.25 <= overall["high"]
    one = run({"a": 1, "b": -1, "c": 0})
    row = paired(one, one, PAIRS, POLICIES).iloc[0]
    assert (row["difference"], row["only_a"], row["only_b"], row["p"]) == (0, 0, 0, 1.0)
    assert row["low"] < 0 < row["high"]
    assert not margins(one, one, PAIRS, POLICIES)["right_in"].isin(["a", "b"]).any()
    first, second = run({"a": 1, "b": 1, "c": 1}), run({"a": -1, "b": 1, "c": 1})
    first.loc[first["item"] == "a", "logprob"] = math.nan
    second.loc[second["item"] == "b", "logprob"] = math.nan
    row = paired(first, second, PAIRS, POLICIES).iloc[0]
    assert (row["n"], row["unscored_a"], row["unscored_b"]) == (1, 1, 1)
    assert row["difference"] == 0
    first, second = run({"a": 1}), run({"a": 1})
    first["logprob"] = math.nan
    row = paired(first, second, PAIRS, POLICIES).iloc[0]
    assert row["n"] == 0 and row[["value_a", "difference", "low", "p", "p_holm"]].isna().all()


def test_guessed_contrasts_have_an_interval_of_their_own():
    """Twelve contrasts of five pairs that flip together: over new ones less is known than over pairs."""
    names = [f"i{n}" for n in range(60)]
    words = {name: f"c{n % 12}" for n, name in enumerate(names)}
    ahead = {name: 1.0 if n % 12 < 9 else -1.0 for n, name in enumerate(names)}
    first, second = run(ahead, contrast=words), run(dict.fromkeys(names, -1.0), contrast=words)
    row = paired(first, second, PAIRS, POLICIES).iloc[0]
    differences = column([float(n % 12 < 9) for n in range(60)])
    clusters = pd.Series([n % 12 for n in range(60)])
    wide = difference_over_items(differences, column([0.0] * 60), clusters)
    assert (row["n_clusters"], row["n_contrasts"]) == (60, 12)
    assert (row["low_contrasts"], row["high_contrasts"]) == pytest.approx((wide.low, wide.high))
    assert row["high_contrasts"] - row["low_contrasts"] > 1.5 * (row["high"] - row["low"])
    over = f"{generalises_over(row)}"
    assert over.startswith("60 items with 12 independent contrasts; ") and over.endswith(" points over new contrasts")


@pytest.mark.slow
def test_values_and_names_are_those_of_the_summaries_even_for_means_of_means():
    task = dataclasses.replace(PAIRS, groups=("UID", "split"), averaged=("split", "UID"))
    generator = np.random.default_rng(8)
    names = [f"i{n}" for n in range(90)]
    cells = {name: f"c{generator.integers(5)}" for name in names}
    split = {name: "one" if cells[name] in ("c0", "c1") else "two" for name in names}
    runs = [run(dict(zip(names, generator.normal(0.2, 1, 90), strict=True)), UID=cells, split=split) for _ in "ab"]
    overall = paired(*runs, task, POLICIES).iloc[0]
    for value, candidates in zip((overall["value_a"], overall["value_b"]), runs, strict=True):
        assert value == pytest.approx(summarise(candidates, task, POLICIES[0]).iloc[0]["value"])
    one = run({"a": 1, "b": -1}, attractors={"a": "1", "b": "2"})
    named = {task: paired(one, one, TASKS[task], POLICIES).iloc[0]["group"] for task in ("pairs", "linzen")}
    assert named == {"pairs": "macro", "linzen": "micro"}


def test_items_are_matched_by_id_flipped_ones_come_with_both_margins_and_runs_of_other_data_are_refused():
    first = run({"a": 1, "b": -1, "c": 1})
    mixed = run({"c": 1, "a": 1, "b": -1})
    assert paired(first, mixed, PAIRS, POLICIES).iloc[0]["only_a"] == 0
    with pytest.raises(InputError, match="no item in common"):
        paired(run({"a": 1}), run({"b": 1}), PAIRS, POLICIES)
    manifest = {"run_id": "one", "task": "blimp", "task_version": 1, "rule": "joint", "data_hash": "abc"}
    refuse_unlike(manifest, {**manifest, "run_id": "two"})
    for field, words in (("task", "another task"), ("rule", "another rule"), ("data_hash", "another data set")):
        with pytest.raises(StoreError, match=words):
            refuse_unlike(manifest, {**manifest, "run_id": "two", field: "other"})
    first = run({"a": 2 * math.log(2), "b": -math.log(2), "c": 1, "d": 0})
    second = run({"a": -math.log(2), "b": 4 * math.log(2), "c": 2, "d": 1})
    rows = margins(first, second, PAIRS, POLICIES).query("right_in in ('a', 'b')").set_index("item")
    assert list(rows.index) == ["b", "a"], "the largest change first; a tie has no side"
    assert list(rows["right_in"]) == ["b", "a"]
    assert list(rows["margin_a"]) == pytest.approx([-1, 2])
    assert list(rows["margin_b"]) == pytest.approx([4, -1])
    assert list(rows["rival"]) == ["b text 1", "a text 1"]

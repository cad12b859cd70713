"""Intervals against closed forms, a plain bootstrap, intervals known for BLiMP, and truths that are known."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from core.statistics.few import CLUSTERED, EFFECTIVE, WILSON, method
from core.statistics.intervals import logit, over_items, over_paradigms, wilson
from core.statistics.strata import Stratified

Find = Callable[[str], Path]


def series(values: list[float] | np.ndarray) -> pd.Series:
    return pd.Series(values)


def constant(n: int) -> pd.Series:
    return pd.Series(["one"] * n)


@pytest.mark.parametrize(("successes", "n"), [(58, 60), (0, 10), (10, 10), (5, 10), (834, 1000)])
def test_wilson_equals_scipys(successes, n):
    expected = stats.binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson(successes, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_of_58_in_60():
    """The worked example of the pages: 97 %, interval 89 to 99."""
    assert [round(100 * bound, 1) for bound in wilson(58, 60)] == [88.6, 99.1]


def test_wilson_solves_its_equation():
    """Its bounds are the shares p with |x/n - p| = z sqrt(p (1 - p) / n)."""
    for bound in wilson(37, 120):
        assert abs(37 / 120 - bound) == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / 120), rel=1e-5)


def test_wilson_of_nothing_is_missing():
    assert all(math.isnan(bound) for bound in wilson(0, 0))


def test_items_on_their_own_give_the_binomial_interval():
    values = series([1.0] * 300 + [0.0] * 100)
    interval = over_items(values, constant(400), pd.Series(range(400)))
    reach = 1.96 * math.sqrt(0.75 * 0.25 / 400)
    assert (interval.low, interval.high) == pytest.approx((0.75 - reach, 0.75 + reach), abs=0.006)
    assert interval.n_clusters == 400 and interval.over == "items"


@pytest.mark.parametrize("strata", [1, 2])
@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("wrong", [0, 7])
def test_a_method_is_named_as_it_computes(strata, size, wrong):
    values, stratum = series([0.0] * wrong + [1.0] * (40 - wrong)), pd.Series(np.arange(40) % strata)
    clusters = pd.Series(np.arange(40) // size)
    sample, interval = Stratified(values, stratum, clusters), over_items(values, stratum, clusters)
    by_name = {
        WILSON: wilson((1 - wrong / 40) * sample.least_size, sample.least_size),
        EFFECTIVE: wilson(*np.array([sample.mean(), 1]) * sample.spread / sample.variance, freedom=sample.freedom)
        if wrong
        else (),
        CLUSTERED: logit(sample.mean(), sample.variance, sample.freedom) if wrong else (),
    }
    named = method(40, interval.n_clusters, strata, sample.mean())
    expected = WILSON if not wrong or size == strata == 1 else EFFECTIVE if size == 1 else CLUSTERED
    assert named == expected and by_name[named] == pytest.approx((interval.low, interval.high))


def test_clusters_that_agree_count_once():
    """100 items in 20 clusters of equal values are 20 observations."""
    clusters = np.repeat(np.arange(20), 5)
    interval = over_items(series((clusters < 10) * 1.0), constant(100), pd.Series(clusters))
    reach = 1.96 * math.sqrt(0.25 / 20)
    assert interval.n_clusters == 20
    assert interval.high - interval.low == pytest.approx(2 * reach, rel=0.12)


@pytest.mark.slow
def test_equals_a_plain_bootstrap_of_whole_clusters():
    """With forty clusters both say nearly the same."""
    generator = np.random.default_rng(5)
    sizes = generator.integers(1, 9, size=40)
    clusters = np.repeat(np.arange(40), sizes)
    values = (generator.random(len(clusters)) < np.repeat(generator.random(40), sizes)) * 1.0
    means = []
    for _ in range(4000):
        drawn = generator.integers(40, size=40)
        means.append(np.concatenate([values[clusters == cluster] for cluster in drawn]).mean())
    interval = over_items(series(values), constant(len(values)), pd.Series(clusters))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.02)


def test_strata_are_fixed_and_count_alike():
    """Two strata of equal weight, with 0.2 of 50 and 0.9 of 10: the normal interval of their mean, by hand."""
    values, strata = series([1.0] * 10 + [0.0] * 40 + [1.0] * 9 + [0.0]), pd.Series(["a"] * 50 + ["b"] * 10)
    interval = over_items(values, strata, pd.Series(range(60)))
    reach = 2.0 * math.sqrt((0.2 * 0.8 / 49 + 0.9 * 0.1 / 9) / 4)
    assert (interval.low, interval.high) == pytest.approx((0.55 - reach, 0.55 + reach), abs=0.015)


def test_strata_at_0_and_at_1_are_no_certainty():
    values, strata = series([0.0] * 50 + [1.0] * 10), pd.Series(["a"] * 50 + ["b"] * 10)
    interval = over_items(values, strata, pd.Series(range(60)))
    assert 0.4 < interval.low < 0.45 and 0.55 < interval.high < 0.6


def test_one_right_answer_more_never_lowers_a_bound():
    bounds = [
        over_items(series((np.arange(100) < n) * 1.0), constant(100), pd.Series(range(100))) for n in range(101)
    ]
    lows, highs = ([getattr(one, name) for one in bounds] for name in ("low", "high"))
    assert lows == sorted(lows) and highs == sorted(highs)
    assert [round(100 * low, 1) for low in lows[-2:]] == [94.6, 96.3]


def test_many_ties_make_an_interval_conservative():
    halves = over_items(series([0.5] * 100), constant(100), pd.Series(range(100)))
    answers = over_items(series([1.0, 0.0] * 50), constant(100), pd.Series(range(100)))
    assert halves.high - halves.low == pytest.approx(answers.high - answers.low, rel=0.05)


def test_without_variation_the_interval_is_not_a_point():
    interval = over_items(series([1.0] * 60), constant(60), pd.Series(range(60)))
    assert (interval.low, interval.high) == pytest.approx(wilson(60, 60))


def test_too_little_to_tell_is_missing():
    one = over_items(series([1.0, 0.0, 1.0]), constant(3), pd.Series(["same"] * 3))
    none = over_items(series([]), constant(0), pd.Series([], dtype=str))
    single = over_paradigms(np.array([0.5]))
    assert all(math.isnan(bound) for i in (one, none, single) for bound in (i.low, i.high))
    assert (one.n_clusters, none.n_clusters, single.n_clusters) == (1, 0, 1)


def test_the_same_in_any_order_and_every_time():
    generator = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"value": generator.integers(0, 2, 300) * 1.0, "s": generator.integers(0, 3, 300).astype(str),
         "c": generator.integers(0, 40, 300)}
    )  # fmt: skip
    shuffled = frame.sample(frac=1, random_state=2)
    first, second = (over_items(f["value"], f["s"], f["c"]) for f in (frame, shuffled))
    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=1e-12)


def test_known_intervals_of_gpt2_on_blimp(shared_data):
    """GPT-2 has 83.0: 79.4 to 86.6 (Student) if paradigms are a sample, and 0.26 either side if they are fixed."""
    lines = shared_data("blimp/raw_results/summary/models_summary.jsonl").read_text().splitlines()
    means = np.array([row["gpt2"] for row in map(json.loads, lines) if row["UID"] != "overall"])
    assert len(means) == 67 and means.mean() == pytest.approx(0.8302, abs=5e-5)
    sample = over_paradigms(means)
    student = stats.t.interval(0.95, 66, means.mean(), stats.sem(means))
    assert student == pytest.approx((0.794, 0.866), abs=0.0006)
    assert (sample.low, sample.high) == pytest.approx(student, abs=0.005)
    values = np.concatenate([np.arange(1000) < round(1000 * mean) for mean in means]) * 1.0
    fixed = over_items(series(values), pd.Series(np.repeat(np.arange(67), 1000)), pd.Series(np.arange(67_000)))
    assert (fixed.high - fixed.low) / 2 == pytest.approx(0.0026, abs=0.0002)


def test_clusters_of_several_strata_are_drawn_once():
    """Two strata that repeat each other tell no more than one; apart, they would seem to tell twice as much."""
    values = np.random.default_rng(3).integers(0, 2, 80).astype(float)
    names = pd.Series(range(80))
    alone = over_items(series(values), constant(80), names)
    twice = series([*values, *values]), pd.Series([0] * 80 + [1] * 80)
    shared = over_items(*twice, pd.concat([names, names]))
    apart = over_items(*twice, pd.Series(range(160)))
    assert shared.n_clusters == alone.n_clusters == 80 and apart.n_clusters == 160
    assert shared.high - shared.low == pytest.approx(alone.high - alone.low, rel=0.05)
    assert apart.high - apart.low == pytest.approx((alone.high - alone.low) / math.sqrt(2), rel=0.1)


def test_some_clusters_may_span_strata_and_others_not():
    values = series([1.0, 0.0] * 60)
    strata, clusters = pd.Series([0] * 60 + [1] * 60), pd.Series([*range(60), *range(40, 100)])
    assert over_items(values, strata, clusters).n_clusters == 100
    interval = over_items(values, strata, clusters)
    assert 0.38 < interval.low < 0.45 and 0.55 < interval.high < 0.62


def test_strata_in_which_nothing_can_vary_make_no_interval():
    ten = over_items(series([1.0, 0.0] * 5), pd.Series(range(10)), pd.Series(range(10)))
    assert math.isnan(ten.low) and ten.n_clusters == 10


def _coverage(truth: float, draw: Callable[[np.random.Generator], pd.Series], *about: pd.Series) -> float:
    """Of 300 intervals of drawn values, the share that hold the true mean."""
    generator = np.random.default_rng(20)
    found = [over_items(draw(generator), *about) for _ in range(300)]
    return float(np.mean([one.low <= truth <= one.high for one in found]))


@pytest.mark.parametrize("n_clusters", [3, 5, 10])
def test_few_clusters_are_covered(n_clusters):
    """Each a preference of its own: 12 items, right with a probability between 0 and 1."""

    def draw(generator: np.random.Generator) -> pd.Series:
        return series((generator.random(12 * n_clusters) < np.repeat(generator.random(n_clusters), 12)) * 1.0)

    clusters = pd.Series(np.repeat(range(n_clusters), 12))
    assert _coverage(0.5, draw, constant(len(clusters)), clusters) >= 0.93


@pytest.mark.parametrize("truth", [0.02, 0.97])
def test_shares_near_0_and_1_are_covered(truth):
    names = pd.Series(range(60))
    assert (
        _coverage(truth, lambda generator: series((generator.random(60) < truth) * 1.0), constant(60), names) >= 0.93
    )


def test_strata_of_two_items_are_covered():
    rows = pd.Series(range(60))
    assert _coverage(0.9, lambda generator: series((generator.random(60) < 0.9) * 1.0), rows // 2, rows) >= 0.93


@pytest.mark.parametrize("n", [3, 8, 13])
def test_few_paradigms_are_covered(n):
    generator = np.random.default_rng(20)
    found = [over_paradigms(generator.beta(3.2, 0.8, n)) for _ in range(2_000)]
    assert np.mean([one.low <= 0.8 <= one.high for one in found]) >= 0.93


def test_a_large_cluster_that_alone_errs_is_known_to_vary():
    """Of 1,000 items in 901 clusters the 100 of one are wrong: a repetition may have none of it, or two."""
    clusters = pd.Series([0] * 100 + [*range(1, 901)])
    interval = over_items((clusters > 0) * 1.0, constant(1000), clusters)
    assert interval.low < 0.75 and interval.high > 0.96


def test_only_shares_have_such_an_interval():
    with pytest.raises(ValueError, match="shares"):
        over_paradigms(np.array([-0.2, 0.1, 0.4]))

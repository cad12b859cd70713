"""Intervals against closed forms, a plain bootstrap, intervals known for BLiMP, and truths that are known."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pairlens.statistics.few import CLUSTERED, EFFECTIVE, WILSON, method
from pairlens.statistics.intervals import logit, over_items, over_paradigms, wilson
from pairlens.statistics.strata import Stratified


def over(values, strata=None, clusters=None):
    """Of one stratum and of items on their own, unless said."""
    one, each = pd.Series(["one"] * len(values)), pd.Series(range(len(values)))
    return over_items(pd.Series(values), one if strata is None else strata, each if clusters is None else clusters)


def test_items_on_their_own_give_the_binomial_interval_and_without_variation_that_of_wilson_as_scipys():
    for successes, n in ((58, 60), (0, 10), (10, 10), (5, 10), (834, 1000)):
        expected = stats.binomtest(successes, n).proportion_ci(method="wilson")
        assert wilson(successes, n) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert [round(100 * bound, 1) for bound in wilson(58, 60)] == [88.6, 99.1], "the example of the pages"
    assert all(math.isnan(bound) for bound in wilson(0, 0))
    interval = over([1.0] * 300 + [0.0] * 100)
    reach = 1.96 * math.sqrt(0.75 * 0.25 / 400)
    assert (interval.low, interval.high) == pytest.approx((0.75 - reach, 0.75 + reach), abs=0.006)
    assert interval.n_clusters == 400 and interval.over == "items"
    halves, answers = over([0.5] * 100), over([1.0, 0.0] * 50)
    assert halves.high - halves.low == pytest.approx(answers.high - answers.low, rel=0.05)
    interval = over([1.0] * 60)
    assert (interval.low, interval.high) == pytest.approx(wilson(60, 60))


@pytest.mark.parametrize("strata", [1, 2])
@pytest.mark.parametrize("size", [1, 4])
@pytest.mark.parametrize("wrong", [0, 7])
def test_a_method_is_named_as_it_computes(strata, size, wrong):
    values, stratum = pd.Series([0.0] * wrong + [1.0] * (40 - wrong)), pd.Series(np.arange(40) % strata)
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


@pytest.mark.slow
def test_clusters_are_drawn_whole_as_in_a_plain_bootstrap():
    generator = np.random.default_rng(5)
    sizes = generator.integers(1, 9, size=40)
    clusters = np.repeat(np.arange(40), sizes)
    values = (generator.random(len(clusters)) < np.repeat(generator.random(40), sizes)) * 1.0
    means = []
    for _ in range(1000):
        drawn = generator.integers(40, size=40)
        means.append(np.concatenate([values[clusters == cluster] for cluster in drawn]).mean())
    interval = over(values, clusters=pd.Series(clusters))
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.02)


def test_strata_are_fixed_and_one_right_answer_more_never_lowers_a_bound():
    """Two strata of equal weight, with 0.2 of 50 and 0.9 of 10: the normal interval of their mean, by hand."""
    strata = pd.Series(["a"] * 50 + ["b"] * 10)
    interval = over([1.0] * 10 + [0.0] * 40 + [1.0] * 9 + [0.0], strata)
    reach = 2.0 * math.sqrt((0.2 * 0.8 / 49 + 0.9 * 0.1 / 9) / 4)
    assert (interval.low, interval.high) == pytest.approx((0.55 - reach, 0.55 + reach), abs=0.015)
    interval = over([0.0] * 50 + [1.0] * 10, strata)
    assert 0.4 < interval.low < 0.45 and 0.55 < interval.high < 0.6, "strata at 0 and at 1 are no certainty"
    bounds = [over((np.arange(100) < n) * 1.0) for n in range(101)]
    lows, highs = ([getattr(one, name) for one in bounds] for name in ("low", "high"))
    assert lows == sorted(lows) and highs == sorted(highs)
    assert [round(100 * low, 1) for low in lows[-2:]] == [94.6, 96.3]


def test_too_little_to_tell_is_missing_and_the_order_of_items_does_not_matter():
    one, none = over([1.0, 0.0, 1.0], clusters=pd.Series(["same"] * 3)), over([])
    single, ten = over_paradigms(np.array([0.5])), over([1.0, 0.0] * 5, pd.Series(range(10)))
    assert all(math.isnan(bound) for i in (one, none, single, ten) for bound in (i.low, i.high))
    assert [i.n_clusters for i in (one, none, single, ten)] == [1, 0, 1, 10]
    generator = np.random.default_rng(1)
    frame = pd.DataFrame({name: generator.integers(0, most, 300) for name, most in (("v", 2), ("s", 3), ("c", 40))})
    shuffled = frame.sample(frac=1, random_state=2)
    first, second = (over_items(f["v"] * 1.0, f["s"].astype(str), f["c"]) for f in (frame, shuffled))
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
    fixed = over(values, pd.Series(np.repeat(np.arange(67), 1000)))
    assert (fixed.high - fixed.low) / 2 == pytest.approx(0.0026, abs=0.0002)


def test_clusters_of_several_strata_are_drawn_once_and_a_large_one_that_alone_errs_is_known_to_vary():
    """Two strata that repeat each other tell no more than one; apart, they would seem to tell twice as much."""
    values = np.random.default_rng(3).integers(0, 2, 80).astype(float)
    names, strata = pd.Series(range(80)), pd.Series([0] * 80 + [1] * 80)
    alone, apart = over(values), over([*values, *values], strata)
    shared = over([*values, *values], strata, pd.concat([names, names], ignore_index=True))
    assert shared.n_clusters == alone.n_clusters == 80 and apart.n_clusters == 160
    assert shared.high - shared.low == pytest.approx(alone.high - alone.low, rel=0.05)
    assert apart.high - apart.low == pytest.approx((alone.high - alone.low) / math.sqrt(2), rel=0.1)
    clusters = pd.Series([*range(60), *range(40, 100)])
    interval = over([1.0, 0.0] * 60, pd.Series([0] * 60 + [1] * 60), clusters)
    assert interval.n_clusters == 100
    assert 0.38 < interval.low < 0.45 and 0.55 < interval.high < 0.62
    # of 1,000 items in 901 clusters the 100 of one are wrong: a repetition may have none of it, or two
    clusters = pd.Series([0] * 100 + [*range(1, 901)])
    interval = over((clusters > 0) * 1.0, clusters=clusters)
    assert interval.low < 0.75 and interval.high > 0.96
    with pytest.raises(ValueError, match="shares"):
        over_paradigms(np.array([-0.2, 0.1, 0.4]))


def coverage(truth, draw, *about, draws=100):
    """Of so many intervals of drawn values, the share that hold the true mean."""
    generator = np.random.default_rng(20)
    found = [over(draw(generator), *about) for _ in range(draws)]
    return float(np.mean([one.low <= truth <= one.high for one in found]))


@pytest.mark.slow
@pytest.mark.parametrize("n_clusters", [3, 5, 10])
def test_few_clusters_are_covered(n_clusters):
    """Each a preference of its own: 12 items, right with a probability between 0 and 1."""
    clusters = pd.Series(np.repeat(range(n_clusters), 12))

    def draw(generator):
        return (generator.random(12 * n_clusters) < np.repeat(generator.random(n_clusters), 12)) * 1.0

    assert coverage(0.5, draw, None, clusters, draws=300) >= 0.93


def shares(truth):
    return lambda generator: (generator.random(60) < truth) * 1.0


@pytest.mark.slow
def test_shares_near_0_and_1_and_strata_of_two_items_are_covered():
    assert coverage(0.02, shares(0.02)) >= 0.93 and coverage(0.97, shares(0.97)) >= 0.93
    assert coverage(0.9, shares(0.9), pd.Series(range(60)) // 2) >= 0.93


MANY = [pytest.param(n, 2_000, marks=pytest.mark.soak) for n in (3, 8, 13)]


@pytest.mark.slow
@pytest.mark.parametrize(("n", "draws"), [(3, 300), (13, 300), *MANY])
def test_few_paradigms_are_covered(n, draws):
    generator = np.random.default_rng(20)
    found = [over_paradigms(generator.beta(3.2, 0.8, n)) for _ in range(draws)]
    least = 0.93 - 0.02 * (draws < 2_000)  # of fewer draws less is known
    assert np.mean([one.low <= 0.8 <= one.high for one in found]) >= least

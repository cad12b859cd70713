"""Intervals of StereoSet's numbers under simulation: terms with preferences of their own, and known true values."""

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

from pairlens.metrics import METRICS
from pairlens.metrics.icat import icat, icat_estimate
from pairlens.statistics.mover import Estimate
from pairlens.statistics.mover import difference as difference_of
from pairlens.statistics.mover import product as product_of
from pairlens.statistics.wholes import interval, interval_method, interval_of_difference
from pairlens.studies.stereoset.measured import Measured, cell, difference

ICAT = METRICS["icat"]
SS, LMS = (0.5, 0.52, 0.55, 0.6, 0.7, 0.3), (0.5, 0.8, 0.95, 1.0)
TERMS, EXAMPLES = (10, 30, 79), (30, 200, 2000)
ALIKE = 9.0
"""How alike terms are: a + b of the beta distribution of their preferences."""
LEAST = 0.93 - 2 * math.sqrt(0.07 * 0.93 / 1000)
"""Coverage of .93 and what 1,000 draws may miss of it."""
PAIRS = [
    ((0.9, 0.5), (0.9, 0.5)), ((0.9, 0.5), (0.9, 0.7)), ((0.8, 0.55), (0.95, 0.6)), ((0.9, 0.3), (0.9, 0.7)),
    ((0.95, 0.52), (0.8, 0.5)),
]  # fmt: skip
"""LMS and SS of two runs."""


def decided(generator, lms, ss, sizes, alike=ALIKE):
    """What a run decides about so many examples of each term; preferences of terms are drawn, unless each has one."""
    of_term = np.repeat(np.arange(len(sizes)), sizes)
    prefers, knows = (
        np.full(len(sizes), mean)
        if mean == 1 or len(of_term) == len(sizes)
        else generator.beta(mean * alike, (1 - mean) * alike, len(sizes))
        for mean in (ss, lms)
    )
    related = generator.binomial(2, knows[of_term]) / 2
    stereotype = (generator.random(len(of_term)) < prefers[of_term]) * 1.0
    parts = {"related": related, "stereotype": stereotype, "target": of_term}
    return pd.DataFrame({"item": range(len(related)), **parts})


def held(true, draws, interval_of):
    """How often the interval holds the true value, and its mean width."""
    found = [interval_of() for _ in range(draws)]
    of_truth = [one.low - 1e-9 <= true <= one.high + 1e-9 for one in found]
    return float(np.mean(of_truth)), float(np.mean([one.high - one.low for one in found]))


def coverage(lms, ss, terms, draws, *, examples=False, of_means=False):
    """Of the interval of ICAT, of terms of 3 to 30 examples or of one, or of the means over terms."""
    generator = np.random.default_rng([terms, round(100 * lms), round(100 * ss)])

    def draw():
        sizes = np.ones(terms, int) if examples else generator.integers(3, 31, terms)
        statistics = decided(generator, lms, ss, sizes)
        if of_means:
            return cell(triples(statistics), "intrasentence", "overall").term_means.icat
        return interval(ICAT, statistics, statistics["target"])

    return held(icat(lms, ss) * (100 if of_means else 1), draws, draw)


def coverage_of_difference(pair, terms, draws):
    """The same of the difference of two runs with preferences of their own."""
    generator = np.random.default_rng(terms)

    def draw():
        sizes = generator.integers(3, 31, terms)
        a, b = (decided(generator, *one, sizes) for one in pair)
        return interval_of_difference(ICAT, a, b, a["target"])

    return held(icat(*pair[0]) - icat(*pair[1]), draws, draw)


def triples(statistics):
    """Decisions as `Measured.triples` has them."""
    table = pd.DataFrame({"term": statistics["target"], "pro": statistics["stereotype"]})
    return table.assign(
        kind="intrasentence", example=range(len(table)), bias_type="gender", related=2 * statistics["related"],
        tie=False, related_ties=0,
    )  # fmt: skip


def rejections(terms, alike, draws):
    """How often two models that are alike over all terms differ at 5 %: by terms, and by McNemar's of examples."""
    generator = np.random.default_rng(terms)
    found = []
    for _ in range(draws):
        sizes = generator.integers(3, 31, terms)
        runs = [triples(decided(generator, 0.9, 0.6, sizes, alike)) for _ in range(2)]
        one, other = (Measured("m", "half", run, pd.DataFrame(), (), ()) for run in runs)
        compared = difference(one, other, "intrasentence")
        assert compared is not None
        found.append((compared.p < 0.05, compared.choices.p < 0.05))
    by_term, by_example = np.mean(found, axis=0)
    return float(by_term), float(by_example)


@pytest.mark.slow
@pytest.mark.parametrize(("lms", "ss"), [(0.95, 0.5), (0.9, 0.6)])
def test_icat_holds_its_true_value_also_on_its_ridge(lms, ss):
    """The percentile bootstrap over terms holds it in 65 % of samples where SS is 1/2."""
    share, width = coverage(lms, ss, 30, 60)
    assert share >= 0.9 and width < 0.35


@pytest.mark.slow
def test_differences_hold_their_true_value_and_preferences_of_terms_are_no_difference():
    assert coverage_of_difference(PAIRS[1], 30, 25)[0] >= 0.88
    by_term, by_example = rejections(30, ALIKE, 35)
    assert by_term <= 0.1 < 0.13 < by_example


@pytest.mark.soak
@pytest.mark.parametrize(("lms", "ss"), product(LMS, SS))
def test_icat_holds_its_true_value_in_every_condition(lms, ss):
    """Pooled, of means over terms, and of independent examples."""
    for terms in TERMS:
        assert coverage(lms, ss, terms, 1000)[0] >= LEAST
        assert coverage(lms, ss, terms, 1000, of_means=True)[0] >= LEAST
    for examples in EXAMPLES:
        assert coverage(lms, ss, examples, 1000, examples=True)[0] >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("terms", "pair"), product(TERMS, PAIRS))
def test_the_difference_of_two_runs_holds_its_true_value(terms, pair):
    assert coverage_of_difference(pair, terms, 1000)[0] >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("terms", "alike"), product(TERMS, (4.0, ALIKE, 40.0)))
def test_two_models_that_are_alike_differ_in_one_sample_of_twenty(terms, alike):
    assert rejections(terms, alike, 1000)[0] <= 0.07


def test_the_smaller_product_bounds_icat_by_hand_and_too_few_clusters_or_no_variation():
    """LMS .9 (.85 to .95), SS .6 (.5 to .7): LMS x (1 - SS) is .36, +- sqrt((.4 x .05)^2 + (.9 x .1)^2)."""
    found = icat_estimate(Estimate(0.9, 0.85, 0.95), Estimate(0.6, 0.5, 0.7), 0.0)
    reach = math.hypot(0.4 * 0.05, 0.9 * 0.1)
    assert (found.value, found.low, found.high) == pytest.approx((0.72, 2 * (0.36 - reach), 2 * (0.36 + reach)))
    even = icat_estimate(Estimate(1.0, 0.9, 1.0), Estimate(0.5, 0.4, 0.6), 0.0)
    assert even.high == 1 and even.low == pytest.approx(2 * (0.5 - math.hypot(0.05, 0.1)))
    one, other = Estimate(0.8, 0.7, 0.9), Estimate(0.5, 0.4, 0.6)
    assert product_of(one, other, 0.5).high > product_of(one, other, 0.0).high
    assert difference_of(one, other, 1.0).low == pytest.approx(0.3)
    apart = difference_of(one, other, 0.0)
    assert (apart.low, apart.high) == pytest.approx((0.3 - math.hypot(0.1, 0.1), 0.3 + math.hypot(0.1, 0.1)))
    one = pd.DataFrame({"item": ["a", "b"], "related": [1.0, 1.0], "stereotype": [1.0, 0.0]})
    assert math.isnan(interval(ICAT, one, pd.Series(["a", "a"])).low)
    sure = pd.DataFrame({"item": range(40), "related": np.ones(40), "stereotype": np.ones(40)})
    found = interval(ICAT, sure, pd.Series(range(40)))
    assert found.low == 0 and 0 < found.high < 0.3


def test_icat_near_no_preference_has_an_interval_and_differences_are_drawn_together():
    """SS is 50 %, so that whatever is drawn lies below the number: a bootstrap gives too low bounds here, or none."""
    one, other = (decided(np.random.default_rng(seed), 0.9, 0.5, np.ones(200, int)) for seed in (1, 2))
    clusters, statistics = pd.Series(range(200)), one.copy()
    statistics["stereotype"] = np.arange(200) % 2 * 1.0
    found = interval(ICAT, statistics, clusters)
    assert found.low < ICAT.value(statistics) < found.high
    assert interval_method(ICAT) == "MOVER"
    assert interval_method(METRICS["human_correlation"]) == "jackknife"
    forth, back = (interval_of_difference(ICAT, *pair, clusters) for pair in ((one, other), (other, one)))
    assert forth.low <= ICAT.value(one) - ICAT.value(other) <= forth.high
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low))
    itself = interval_of_difference(ICAT, one, one, clusters)
    assert -0.02 < itself.low <= 0 <= itself.high < 0.02

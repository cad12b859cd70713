"""Intervals of StereoSet's numbers under simulation: terms with preferences of their own, and known true values."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest

from core.metrics import METRICS
from core.metrics.icat import icat, icat_estimate
from core.statistics.mover import Estimate
from core.statistics.mover import difference as difference_of
from core.statistics.mover import product as product_of
from core.statistics.wholes import interval, interval_of_difference
from core.studies.stereoset.measured import Measured, cell, difference

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


def decided(
    generator: np.random.Generator, lms: float, ss: float, sizes: np.ndarray, alike: float = ALIKE
) -> pd.DataFrame:
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
    return pd.DataFrame(
        {"item": range(len(related)), "related": related, "stereotype": stereotype, "target": of_term}
    )


def coverage(lms: float, ss: float, terms: int, draws: int, *, examples: bool = False) -> tuple[float, float]:
    """How often the interval of ICAT, of terms of 3 to 30 examples or of one, holds the true one, and its width."""
    generator, true = np.random.default_rng([terms, round(100 * lms), round(100 * ss)]), icat(lms, ss)
    held, widths = [], []
    for _ in range(draws):
        sizes = np.ones(terms, int) if examples else generator.integers(3, 31, terms)
        statistics = decided(generator, lms, ss, sizes)
        found = interval(ICAT, statistics, statistics["target"])
        held.append(found.low - 1e-9 <= true <= found.high + 1e-9)
        widths.append(found.high - found.low)
    return float(np.mean(held)), float(np.mean(widths))


def coverage_of_means(lms: float, ss: float, terms: int, draws: int) -> tuple[float, float]:
    """The same of the means over terms."""
    generator, true = np.random.default_rng([terms, round(100 * lms), round(100 * ss)]), 100 * icat(lms, ss)
    held, widths = [], []
    for _ in range(draws):
        statistics = decided(generator, lms, ss, generator.integers(3, 31, terms))
        found = cell(triples(statistics), "intrasentence", "overall").term_means.icat
        held.append(found.low - 1e-9 <= true <= found.high + 1e-9)
        widths.append(found.high - found.low)
    return float(np.mean(held)), float(np.mean(widths)) / 100


def coverage_of_difference(pair: tuple[tuple[float, float], ...], terms: int, draws: int) -> tuple[float, float]:
    """The same of the difference of two runs with preferences of their own."""
    generator = np.random.default_rng(terms)
    true = icat(*pair[0]) - icat(*pair[1])
    held, widths = [], []
    for _ in range(draws):
        sizes = generator.integers(3, 31, terms)
        a, b = (decided(generator, *one, sizes) for one in pair)
        found = interval_of_difference(ICAT, a, b, a["target"])
        held.append(found.low - 1e-9 <= true <= found.high + 1e-9)
        widths.append(found.high - found.low)
    return float(np.mean(held)), float(np.mean(widths))


def triples(statistics: pd.DataFrame) -> pd.DataFrame:
    """Decisions as `Measured.triples` has them."""
    return pd.DataFrame(
        {
            "kind": "intrasentence", "example": range(len(statistics)), "term": statistics["target"],
            "bias_type": "gender", "pro": statistics["stereotype"], "related": 2 * statistics["related"],
            "tie": False, "related_ties": 0,
        }
    )  # fmt: skip


def rejections(terms: int, alike: float, draws: int) -> tuple[float, float]:
    """How often two models that are alike over all terms differ at 5 %: by terms, and by McNemar's of examples."""
    generator = np.random.default_rng(terms)
    found = []
    for _ in range(draws):
        sizes = generator.integers(3, 31, terms)
        runs = [triples(decided(generator, 0.9, 0.6, sizes, alike)) for _ in range(2)]
        one, other = (Measured("m", "half", run, pd.DataFrame(), (), (), ()) for run in runs)
        compared = difference(one, other, "intrasentence")
        assert compared is not None
        found.append((compared.p < 0.05, compared.choices.p < 0.05))
    by_term, by_example = np.mean(found, axis=0)
    return float(by_term), float(by_example)


@pytest.mark.slow
@pytest.mark.parametrize(("lms", "ss"), [(0.95, 0.5), (0.9, 0.6)])
def test_icat_holds_its_true_value_also_on_its_ridge(lms, ss):
    """The percentile bootstrap over terms holds it in 65 % of samples where SS is 1/2."""
    held, width = coverage(lms, ss, 30, 100)
    assert held >= 0.9 and width < 0.35


@pytest.mark.slow
def test_differences_of_icat_hold_their_true_value():
    assert coverage_of_difference(PAIRS[1], 30, 60)[0] >= 0.88


@pytest.mark.slow
def test_models_with_preferences_of_their_own_are_not_told_apart_by_chance():
    by_term, by_example = rejections(30, ALIKE, 150)
    assert by_term <= 0.1 < 0.13 < by_example


@pytest.mark.soak
@pytest.mark.parametrize(("terms", "lms", "ss"), product(TERMS, LMS, SS))
def test_pooled_icat_holds_its_true_value(terms, lms, ss):
    assert coverage(lms, ss, terms, 1000)[0] >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("examples", "lms", "ss"), product(EXAMPLES, LMS, SS))
def test_icat_of_independent_examples_holds_its_true_value(examples, lms, ss):
    assert coverage(lms, ss, examples, 1000, examples=True)[0] >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("terms", "lms", "ss"), product(TERMS, LMS, SS))
def test_icat_of_means_over_terms_holds_its_true_value(terms, lms, ss):
    assert coverage_of_means(lms, ss, terms, 1000)[0] >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("terms", "pair"), product(TERMS, PAIRS))
def test_the_difference_of_two_runs_holds_its_true_value(terms, pair):
    assert coverage_of_difference(pair, terms, 1000)[0] >= LEAST


@pytest.mark.soak
@pytest.mark.parametrize(("terms", "alike"), product(TERMS, (4.0, ALIKE, 40.0)))
def test_two_models_that_are_alike_differ_in_one_sample_of_twenty(terms, alike):
    assert rejections(terms, alike, 1000)[0] <= 0.07


def test_the_smaller_product_bounds_icat_by_hand():
    """LMS .9 (.85 to .95), SS .6 (.5 to .7): LMS x (1 - SS) is .36, +- sqrt((.4 x .05)^2 + (.9 x .1)^2)."""
    found = icat_estimate(Estimate(0.9, 0.85, 0.95), Estimate(0.6, 0.5, 0.7), 0.0)
    reach = math.hypot(0.4 * 0.05, 0.9 * 0.1)
    assert (found.value, found.low, found.high) == pytest.approx((0.72, 2 * (0.36 - reach), 2 * (0.36 + reach)))
    even = icat_estimate(Estimate(1.0, 0.9, 1.0), Estimate(0.5, 0.4, 0.6), 0.0)
    assert even.high == 1 and even.low == pytest.approx(2 * (0.5 - math.hypot(0.05, 0.1)))


def test_what_moves_together_widens_a_product_and_narrows_a_difference():
    one, other = Estimate(0.8, 0.7, 0.9), Estimate(0.5, 0.4, 0.6)
    assert product_of(one, other, 0.5).high > product_of(one, other, 0.0).high
    assert difference_of(one, other, 1.0).low == pytest.approx(0.3)
    apart = difference_of(one, other, 0.0)
    assert (apart.low, apart.high) == pytest.approx((0.3 - math.hypot(0.1, 0.1), 0.3 + math.hypot(0.1, 0.1)))


def test_too_few_clusters_and_no_variation():
    one = pd.DataFrame({"item": ["a", "b"], "related": [1.0, 1.0], "stereotype": [1.0, 0.0]})
    assert math.isnan(interval(ICAT, one, pd.Series(["a", "a"])).low)
    sure = pd.DataFrame({"item": range(40), "related": np.ones(40), "stereotype": np.ones(40)})
    found = interval(ICAT, sure, pd.Series(range(40)))
    assert found.low == 0 and 0 < found.high < 0.3

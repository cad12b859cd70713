"""Intervals of numbers that are no mean: do they hold the truth as often as they say?

Data are drawn with a known truth and given to `pairlens.statistics.wholes`, as summaries and comparisons of runs do.
The conditions are those of `CONDITIONS`: words on their own and in sentences, one time and four that belong together.
"""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from pairlens.analysis.summary import against_nothing, summarise
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.statistics import jackknife
from pairlens.statistics.jackknife import left_out, of_mean_square
from pairlens.statistics.regression import SPILLOVER, partial_correlations
from pairlens.statistics.wholes import interval, interval_of_difference, of_nothing
from pairlens.tasks import TASKS
from tests.candidate_table import candidate_table

SHARES = (0, 0.0005, 0.002, 0.01, 0.05)
"""True shares of the variance."""
SOAK = 1_000
ERROR = 3 * math.sqrt(0.95 * 0.05 / SOAK)
"""Three standard errors of a coverage of .95 counted in so many draws."""


@dataclass(frozen=True)
class Condition:
    """Words with so many in a sentence; `metric` decides how many times are measured: four or one."""

    metric: str
    words: int
    in_sentence: int
    skewed: bool = False

    def named(self):
        return f"{self.metric}_{self.words}_by_{self.in_sentence}{'_skewed' if self.skewed else ''}"


SIZES = ((100, 1), (400, 8), (2_000, 8), (104, 8), (400, 8, True))
CONDITIONS = [Condition(metric, *size) for metric in ("eye_tracking", "self_paced") for size in SIZES]


def words(generator, drawn, *shares):
    """Statistics of one model per share, of the same words; a fifth of all variances is the sentence's.

    Times correlate at .8 beside what surprisal adds; surprisals of two models at .5. `skewed`: times have the shape
    of a gamma distribution of skewness 1.4.
    """
    sentence = np.arange(drawn.words) // drawn.in_sentence

    def normal():
        own, together = generator.standard_normal(drawn.words), generator.standard_normal(sentence[-1] + 1)[sentence]
        return own if drawn.in_sentence == 1 else math.sqrt(0.8) * own + math.sqrt(0.2) * together

    def noise():
        values = math.sqrt(0.8) * common + math.sqrt(0.2) * normal()
        return (stats.gamma.ppf(stats.norm.cdf(values), 2) - 2) / math.sqrt(2) if drawn.skewed else values

    base = {name: normal() for name in SPILLOVER}
    common, alike = normal(), normal()
    explained = [math.sqrt(0.5) * (normal() + alike) for _ in shares]
    measured = METRICS[drawn.metric].measured
    unexplained = {name: noise() for name in measured}
    own = [math.sqrt(share) * one for share, one in zip(shares, explained, strict=True)]
    rest = math.sqrt(1 - sum(shares)) if len(shares) == 1 else 1.0
    times = {name: sum(own) + rest * unexplained[name] + 0.3 * base["length"] for name in measured}
    for one in explained:
        names = {"item": [f"w{number}" for number in range(drawn.words)], "contrast": sentence}
        yield pd.DataFrame({**names, **base, **times, "surprisal": one + 0.5 * base["length"]})


def share_of(found, truth):
    return np.mean([one.low <= truth <= one.high for one in found])


def coverage(drawn, share, draws):
    """How often the interval holds the truth, and how often it lies above 0."""
    generator, metric = np.random.default_rng(20), METRICS[drawn.metric]
    tables = (table for _ in range(draws) for table in words(generator, drawn, share))
    found = [interval(metric, table, table["contrast"]) for table in tables]
    return share_of(found, share), np.mean([one.low > 0 for one in found])


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "n_words"), [("eye_tracking", 104), ("self_paced", 160)])
def test_without_predictive_power_the_interval_begins_at_0(metric, n_words):
    """A bootstrap of the number never holds 0."""
    held, above = coverage(Condition(metric, n_words, 8), 0, 60)
    assert held > 0.89 and above < 0.11


@pytest.mark.slow
def test_with_predictive_power_the_interval_holds_it_and_not_0_and_a_correlation_of_few_items():
    held, above = coverage(Condition("eye_tracking", 400, 8), 0.05, 40)
    assert held > 0.88 and above > 0.88
    assert correlation_held(10, 0.5, 40) > 0.88


@pytest.mark.soak
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("drawn", CONDITIONS, ids=Condition.named)
def test_predictive_power_is_held(drawn, share):
    held, above = coverage(drawn, share, SOAK)
    assert held >= 0.95 - ERROR
    assert share or above <= 0.05 + ERROR


@pytest.mark.soak
@pytest.mark.parametrize(("first", "second"), [(0, 0), (0.01, 0.01), (0.05, 0.01), (0.05, 0.05)])
def test_differences_of_predictive_power_are_held(first, second):
    """The surprisals correlate at .5, so that each predicts half of what the other does as well."""
    generator, drawn, metric = np.random.default_rng(21), Condition("eye_tracking", 800, 8), METRICS["eye_tracking"]
    drawn_twice = (words(generator, drawn, first, second) for _ in range(SOAK))
    found = [interval_of_difference(metric, a, b, a["contrast"]) for a, b in drawn_twice]
    assert share_of(found, difference_in_truth(first, second)) >= 0.95 - ERROR


def difference_in_truth(first, second):
    """Times are a + b + noise of variance 1, with covariances 1 and .5 among the standardised surprisals."""
    a, b = math.sqrt(first), math.sqrt(second)
    variance = 1 + a**2 + b**2 + a * b
    return ((a + b / 2) ** 2 - (b + a / 2) ** 2) / variance


def preferences(generator, n, rho, *, rounded):
    """Items whose ranks correlate at a known rho: of normal variables it is 6/pi asin(r/2) (Pearson 1907)."""
    human = generator.standard_normal(n)
    r = 2 * math.sin(math.pi * rho / 6)
    model = r * human + math.sqrt(1 - r * r) * generator.standard_normal(n)
    shares = np.round(stats.norm.cdf(human), 2) if rounded else stats.norm.cdf(human)
    return pd.DataFrame({"item": [f"i{number}" for number in range(n)], "difference": model, "human": shares})


def correlation_held(n, rho, draws):
    generator, metric = np.random.default_rng(22), METRICS["human_correlation"]
    tables = (preferences(generator, n, rho, rounded=True) for _ in range(draws))
    return share_of([interval(metric, table, table["item"]) for table in tables], rho)


@pytest.mark.soak
@pytest.mark.parametrize("rho", [0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("n", [10, 20, 50, 200])
def test_correlations_are_held(n, rho):
    assert correlation_held(n, rho, SOAK) >= 0.95 - ERROR


@pytest.mark.soak
@pytest.mark.parametrize(("first", "second"), [(0.3, 0.3), (0.9, 0.6)])
def test_differences_of_correlations_are_held(first, second):
    """Two models of the same 50 items, independent of each other but for what they share with people."""
    generator, r, found = np.random.default_rng(23), 2 * math.sin(math.pi * second / 6), []
    for _ in range(SOAK):
        a = preferences(generator, 50, first, rounded=False)
        other = r * stats.norm.ppf(a["human"]) + math.sqrt(1 - r * r) * generator.standard_normal(50)
        b = a.assign(difference=other)
        found.append(interval_of_difference(METRICS["human_correlation"], a, b, a["item"]))
    assert share_of(found, first - second) >= 0.95 - ERROR


def test_for_a_mean_it_is_the_t_interval_and_for_one_correlation_0_is_held_as_by_a_t_test():
    values = np.random.default_rng(1).normal(5, 2, 12)
    table = pd.DataFrame({"item": [f"i{number}" for number in range(12)], "surprisal": values})
    found = interval(METRICS["surprisal"], table, table["item"])
    expected = stats.t.interval(0.95, 11, values.mean(), stats.sem(values))
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-12) and found.n_clusters == 12
    without = np.random.default_rng(2).normal(0.2, 0.01, (30, 1))
    reach = stats.t.ppf(0.975, 29) * math.sqrt(jackknife.covariance(without)[0, 0])
    assert of_mean_square(np.array([0.2]), without) == pytest.approx(((0.2 - reach) ** 2, (0.2 + reach) ** 2))
    assert of_mean_square(np.array([reach * 0.99]), without)[0] == 0
    assert of_mean_square(np.array([reach * 1.01]), without)[0] > 0
    one = np.random.default_rng(3).normal(0.1, 0.01, (30, 1))
    alone = of_mean_square(np.array([0.1]), one)
    assert of_mean_square(np.full(4, 0.1), np.repeat(one, 4, axis=1)) == pytest.approx(alone)


def test_correlations_without_a_sentence_are_those_of_a_table_without_it():
    (table,) = words(np.random.default_rng(4), Condition("eye_tracking", 104, 8), 0.05)
    table.loc[[3, 50], "RTgopast"] = math.nan
    metric = METRICS["eye_tracking"]
    codes, n = left_out(table["contrast"])
    _, without = metric.correlations(table, codes)
    parts = [table[table["contrast"] != one] for one in range(n)]
    expected = [partial_correlations(part, metric.measured, metric.base)[0] for part in parts]
    assert n == 13 and without == pytest.approx(np.array(expected), abs=1e-12)
    (table,) = words(np.random.default_rng(5), Condition("eye_tracking", 104, 8), 0.05)
    # a predictor that only one sentence knows: without it the regression has one column less
    table["length"] = (table["contrast"] == 3) * np.arange(1.0, 105)
    _, without = metric.correlations(table, left_out(table["contrast"])[0])
    expected = partial_correlations(table[table["contrast"] != 3], metric.measured, metric.base)[0]
    assert without[3] == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_what_no_predictive_power_gives_is_the_mean_of_the_number_then_and_said():
    generator, metric, drawn = np.random.default_rng(6), METRICS["eye_tracking"], Condition("eye_tracking", 104, 8)
    found = []
    for _ in range(100):
        (table,) = words(generator, drawn, 0)
        found.append((metric.value(table), of_nothing(metric, table, table["contrast"])))
    values, chances = np.array(found).T
    assert chances.mean() == pytest.approx(values.mean(), rel=0.3)
    row = pd.Series({"name": "eye_tracking", "value": 0.01, "chance": 0.00067, "low": 0.0001})
    assert against_nothing(row) == "more than the 0.07 % that no predictive power gives on average (p < 0.05)"
    said = against_nothing(pd.Series({**row, "low": 0.0}))
    assert said == "not reliably more than the 0.07 % that no predictive power gives on average"
    assert against_nothing(pd.Series({**row, "chance": math.nan})) is None
    assert against_nothing(pd.Series({**row, "name": "accuracy"})) is None


def test_too_little_to_tell_is_missing_clusters_without_a_name_are_one_and_many_are_left_out_in_groups():
    metric = METRICS["human_correlation"]
    table = preferences(np.random.default_rng(7), 12, 0.5, rounded=False)
    assert math.isnan(interval(metric, table, pd.Series(["one"] * 12)).low)
    same = table.assign(human=table["difference"])
    assert metric.value(same) == pytest.approx(1) and math.isnan(interval(metric, same, same["item"]).low)
    (few,) = words(np.random.default_rng(8), Condition("eye_tracking", 12, 4), 0.05)
    eye = METRICS["eye_tracking"]
    assert not math.isnan(eye.value(few)) and math.isnan(interval(eye, few, few["contrast"]).low)
    (many,) = words(np.random.default_rng(8), Condition("eye_tracking", 100, 4), 0.05)
    implied = many.assign(surprisal=many["length"])
    assert eye.value(implied) == 0 and math.isnan(interval(eye, implied, implied["contrast"]).low)
    codes, n = left_out(pd.Series(["a", None, "b", None]))
    assert n == 3 and codes.tolist() == [0, 1, 2, 1]
    codes, n = left_out(pd.Series(range(2_500)))
    assert n == 2_500 and np.bincount(codes).tolist() == [25] * 100
    values = np.random.default_rng(9).normal(size=2_500)
    without = jackknife.without_each(pd.DataFrame({"x": values}), codes, lambda part: float(part["x"].mean()))
    low, high = jackknife.symmetrical(values.mean(), without)
    assert (low + high) / 2 == pytest.approx(values.mean())
    assert high - low == pytest.approx(2 * 1.96 * stats.sem(values), rel=0.2)
    low, high = jackknife.of_correlation(0.97, np.random.default_rng(10).normal(0.97, 0.03, 12))
    assert -1 < low < 0.97 < high < 1


@pytest.mark.parametrize(
    ("task", "metric"),
    [(name, metric) for name, task in TASKS.items() for metric in task.metrics if not METRICS[metric].averages],
)
def test_the_order_of_rows_moves_no_bound(task, metric):
    found = TASKS[task]
    generator = np.random.default_rng(11)
    items = list(found.read(next((ROOT / "data/samples" / task).glob("*.json"), ROOT / "data/samples" / task)))
    scored = candidate_table(items, lambda item, candidate: (-float(generator.gamma(3, 3)), 1))
    places = {item: place for place, item in enumerate(generator.permutation([item.id for item in items]))}
    shuffled = scored.sort_values("item", key=lambda names: names.map(places), kind="stable")
    assert shuffled["item"].iloc[0] != scored["item"].iloc[0]
    summaries = (summarise(table, found, PRESETS["pairlens"], only=[metric]) for table in (scored, shuffled))
    first, second = (table.query("group_by == 'overall'") for table in summaries)
    assert first["low"].notna().all()
    assert first[["low", "high"]].to_numpy().tolist() == second[["low", "high"]].to_numpy().tolist()

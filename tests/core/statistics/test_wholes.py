"""Intervals of metrics that are no mean over items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from core.metrics import METRICS
from core.statistics.wholes import interval, interval_method, interval_of_difference


def decisions(seed: int, n: int = 200) -> pd.DataFrame:
    """What a model decides in so many examples, as ICAT's statistics have it."""
    generator = np.random.default_rng(seed)
    related = generator.binomial(2, 0.9, n) / 2
    return pd.DataFrame({"related": related, "stereotype": generator.integers(0, 2, n) * 1.0, "target": "a text"})


def test_icat_near_no_preference_has_an_interval_that_holds_it() -> None:
    """SS is 50 %, so that whatever is drawn lies below the number: a bootstrap gives too low bounds here, or none."""
    statistics = decisions(1)
    statistics["stereotype"] = np.arange(200) % 2 * 1.0
    found = interval(METRICS["icat"], statistics, pd.Series(range(200)))
    value = METRICS["icat"].value(statistics)
    assert found.low < value < found.high
    assert interval_method(METRICS["icat"]) == "MOVER"
    assert interval_method(METRICS["human_correlation"]) == "bias-corrected bootstrap"


def test_the_difference_of_two_runs_is_drawn_together() -> None:
    one, other = decisions(1), decisions(2)
    clusters = pd.Series(range(200))
    icat = METRICS["icat"]
    forth, back = (interval_of_difference(icat, *pair, clusters) for pair in ((one, other), (other, one)))
    assert forth.low <= icat.value(one) - icat.value(other) <= forth.high
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low))
    itself = interval_of_difference(icat, one, one, clusters)
    assert -0.02 < itself.low <= 0 <= itself.high < 0.02


@pytest.mark.slow
def test_a_correlation_is_drawn_by_the_corrected_bootstrap() -> None:
    generator = np.random.default_rng(4)
    human = generator.random(80)
    runs = [
        pd.DataFrame({"difference": human + generator.normal(0, noise, 80), "human": human}) for noise in (0.2, 1)
    ]
    metric, clusters = METRICS["human_correlation"], pd.Series(range(80))
    found = interval_of_difference(metric, *runs, clusters)
    assert found.low < metric.value(runs[0]) - metric.value(runs[1]) < found.high
    alone = interval(metric, runs[0], clusters)
    assert alone.low < metric.value(runs[0]) < alone.high

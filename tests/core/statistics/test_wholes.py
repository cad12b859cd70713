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
    return pd.DataFrame(
        {
            "item": [f"i{number}" for number in range(n)],
            "related": related,
            "stereotype": generator.integers(0, 2, n) * 1.0,
            "target": "a text",
        }
    )


def test_icat_near_no_preference_has_an_interval_that_holds_it():
    """SS is 50 %, so that whatever is drawn lies below the number: a bootstrap gives too low bounds here, or none."""
    statistics = decisions(1)
    statistics["stereotype"] = np.arange(200) % 2 * 1.0
    found = interval(METRICS["icat"], statistics, pd.Series(range(200)))
    value = METRICS["icat"].value(statistics)
    assert found.low < value < found.high
    assert interval_method(METRICS["icat"]) == "MOVER"
    assert interval_method(METRICS["human_correlation"]) == "jackknife"


def test_the_difference_of_two_runs_is_drawn_together():
    one, other = decisions(1), decisions(2)
    clusters = pd.Series(range(200))
    icat = METRICS["icat"]
    forth, back = (interval_of_difference(icat, *pair, clusters) for pair in ((one, other), (other, one)))
    assert forth.low <= icat.value(one) - icat.value(other) <= forth.high
    assert (forth.low, forth.high) == pytest.approx((-back.high, -back.low))
    itself = interval_of_difference(icat, one, one, clusters)
    assert -0.02 < itself.low <= 0 <= itself.high < 0.02

"""Intervals for accuracies hold the truth as often as they say, and tests err no more often; by simulation."""

from __future__ import annotations

import math

import pytest

from tests.statistics.simulated import CONDITIONS, Condition, simulate

DRAWS = 1_000
FEW = 5
"""Below so many independent units less is asked of an interval."""


def error_of(rate: float) -> float:
    """Two standard errors of a simulated rate."""
    return 2 * math.sqrt(rate * (1 - rate) / DRAWS)


@pytest.mark.soak
@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda one: f"{type(one).__name__}: {one.name}")
def test_intervals_cover_and_tests_err_as_they_say(condition: Condition) -> None:
    found = simulate(condition, DRAWS)
    least = 0.93 if condition.independent >= FEW else 0.90
    if found.none < 1:
        assert found.coverage >= least - error_of(least), found
    if condition.independent >= FEW:
        assert found.none == 0, found
    if not math.isnan(found.error):
        assert found.error <= 0.05 + error_of(0.05), found

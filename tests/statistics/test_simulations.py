"""Intervals for accuracies hold the truth as often as they say, and tests err no more often; by simulation."""

from __future__ import annotations

import math

import pytest

from tests.statistics.simulated import CONDITIONS, Condition, Items, simulate

DRAWS = 1_000
FEW = 5
"""Below so many independent units less is asked of an interval."""


def error_of(rate: float) -> float:
    """Two standard errors of a simulated rate."""
    return 2 * math.sqrt(rate * (1 - rate) / DRAWS)


def rare(condition: Condition) -> bool:
    """Whether less than one wrong answer in two samples is expected: Wilson's interval itself covers .90 then."""
    return isinstance(condition, Items) and (1 - condition.share) * sum(map(sum, condition.strata)) < 0.5


@pytest.mark.soak
@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda one: f"{type(one).__name__}: {one.name}")
def test_intervals_cover_and_tests_err_as_they_say(condition: Condition) -> None:
    found = simulate(condition, DRAWS)
    least = 0.93 if condition.independent >= FEW and not rare(condition) else 0.88
    if found.none < 1:
        assert found.coverage >= least - error_of(least), found
    if condition.independent >= FEW:
        assert found.none == 0, found
    if not math.isnan(found.error):
        assert found.error <= 0.05 + error_of(0.05), found

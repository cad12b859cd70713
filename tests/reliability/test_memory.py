"""The slope of a server's memory, on sizes whose slope is known."""

import numpy as np
import pytest

from tests.reliability.memory import BLOCK, blocks, slope

SECONDS = np.arange(15.0, 9001.0, 15.0)


def test_growth_is_recovered_after_the_caches_have_filled():
    filling = np.minimum(SECONDS, 1000.0) * 5
    hours, sizes = blocks(SECONDS, 800 + filling + 12 * SECONDS / 3600)
    assert len(hours) == 12
    assert slope(hours, sizes) == pytest.approx((12, 12, 12), abs=0.05)


@pytest.mark.parametrize("growth", [0.0, 30.0])
def test_the_interval_holds_the_slope(growth):
    noise = np.random.default_rng(1).normal(0, 5, (400, len(SECONDS)))
    intervals = [slope(*blocks(SECONDS, growth * SECONDS / 3600 + draw))[1:] for draw in noise]
    assert np.mean([low <= growth <= high for low, high in intervals]) == pytest.approx(0.95, abs=0.03)


def test_a_block_that_is_not_full_is_left_out():
    seconds = np.arange(15.0, 3.5 * BLOCK / 0.8, 15.0)
    assert len(blocks(seconds, np.ones(len(seconds)))[0]) == 3

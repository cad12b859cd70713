"""The histogram of margins holds every item once, on its side of zero."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.charts.run_numbers import margin_histogram


@pytest.mark.slow
@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=60))
def test_every_pair_is_in_the_histogram_once(margins):
    spec = margin_histogram(pd.DataFrame({"margin": margins}), "finding").to_dict()
    bins = next(rows for rows in spec["datasets"].values() if "side" in rows[0])
    counts = {side: sum(row["n"] for row in bins if row["side"] == side) for side in ("right", "wrong", "tie")}
    assert counts == {
        "right": sum(margin > 0 for margin in margins),
        "wrong": sum(margin < 0 for margin in margins),
        "tie": sum(margin == 0 for margin in margins),
    }
    assert all(row["low"] >= 0 for row in bins if row["side"] == "right")
    assert all(row["high"] <= 0 for row in bins if row["side"] == "wrong")
    assert len({row["low"] for row in bins}) <= 42

"""What a run of pairs without right answers says."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from core.analysis.preferences import preference
from core.policies import Policy


def _candidates(margins: list[float], gold: str | None = None) -> pd.DataFrame:
    rows = [
        (str(item), place, label, gold, value, 4, 4, 0)
        for item, margin in enumerate(margins)
        for place, (label, value) in enumerate((("A", -10.0 + margin), ("B", -10.0)))
    ]
    names = ["item", "candidate", "label", "gold", "logprob", "n_tokens", "n_scored", "n_straddling"]
    return pd.DataFrame(rows, columns=names).assign(UID="typed")


@pytest.mark.parametrize(
    ("margins", "finding", "n"),
    [([math.log(2) * 3.4], "Prefers A by 3.4 bits", 1), ([-math.log(2) * 2.04], "Prefers B by 2.0 bits", 1),
     ([0.0], "Neither sentence is preferred", 1), ([1.0, 2.0, -1.0, 0.0], "A is preferred in 2 of 4 pairs", 4)],
)  # fmt: skip
def test_preferences(margins, finding, n):
    assert preference(_candidates(margins), Policy()) == {"finding": finding, "n": n}


def test_pairs_are_called_by_their_labels():
    named = _candidates([1.0, 2.0, -1.0]).replace({"label": {"A": "without", "B": "with"}})
    assert preference(named, Policy()) == {"finding": "without is preferred in 2 of 3 pairs", "n": 3}


def test_unscored_pairs_do_not_count_and_right_answers_have_numbers_of_their_own():
    assert preference(_candidates([math.nan]), Policy()) == {}
    assert preference(_candidates([1.0], gold="A"), Policy()) == {}

"""Profiles as a result: on which side of 1 a rate lies with its whole interval, and the reach of a profile."""

import pandas as pd
import pytest

from pairlens.reports.stereotype_profile import _finding, _headlines


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (1.1, 1.3, "1.20 (1.10 to 1.30), above 1"),
        (0.7, 0.9, "(0.70 to 0.90), below 1"),
        (0.9, 1.3, "(0.90 to 1.30), not distinguishable from 1"),
        (float("nan"), float("nan"), "Too few sentences for an interval"),
    ],
)
def test_the_side_of_a_rate_is_that_of_its_whole_interval(low, high, words):
    (said,) = _headlines(pd.DataFrame({"model": ["m · en"], "value": [1.2], "low": [low], "high": [high], "n": [64]}))
    assert words in said.sentence and said.n == 64 and (said.interval is None) == (low != low)


def test_the_finding_names_the_ends_of_the_first_profile():
    each = pd.DataFrame({"model": ["m", "m", "other"], "group": ["Weak", "Leaders", "x"], "value": [0.4, 0.8, 0.1]})
    assert _finding(each) == "Masculine shares under m: from 40% (Weak) to 80% (Leaders)."

"""The line of surprisal in the regressions of reading times, against least squares and sandwiches done by hand."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats

from pairlens.analysis.reading import partial_effects
from pairlens.metrics import METRICS
from pairlens.places import FOLDER as ROOT
from pairlens.policies import PRESETS
from pairlens.statistics.regression import PLAIN
from pairlens.tasks import TASKS
from tests.candidate_table import candidate_table

POLICY = PRESETS["pairlens"]
EYE = METRICS["eye_tracking"]


@pytest.fixture(scope="module")
def candidates():
    items = list(TASKS["reading"].read(ROOT / "data" / "samples" / "reading"))
    draw = np.random.default_rng(5)
    return candidate_table(items, lambda *_: (-float(draw.gamma(4)), 1))


def by_hand(candidates, measured):
    """Slope per bit, half of its interval and the number of words: a regression without each sentence (CR3)."""
    rows = EYE.statistics(candidates, POLICY)
    rows = rows.dropna(subset=[*PLAIN, "surprisal", measured])
    a, b, c = (rows[name].to_numpy(float) for name in PLAIN)
    bits = rows["surprisal"].to_numpy(float) / np.log(2)
    x = np.column_stack([np.ones(len(rows)), a, b, c, a * b, a * c, b * c, bits])
    y, sentences = rows[measured].to_numpy(float), rows["contrast"].to_numpy()

    def slope(there):
        return sm.OLS(y[there], x[there]).fit().params[-1]

    without = np.array([slope(sentences != one) for one in pd.unique(sentences)])
    g = len(without)
    error = np.sqrt((g - 1) / g * ((without - without.mean()) ** 2).sum())
    return slope(sentences == sentences), stats.t.ppf(0.975, g - 1) * error, len(rows)


def test_lines_are_those_of_the_regression_and_too_few_words_have_none(candidates):
    lines = partial_effects(EYE, candidates, POLICY)
    assert list(lines["measured"].unique()) == list(EYE.measured)
    for measured, line in lines.groupby("measured"):
        slope, reach, n = by_hand(candidates, str(measured))
        assert line["slope"].iloc[0] == pytest.approx(slope, rel=1e-6)
        assert line["slope_high"].iloc[0] - line["slope"].iloc[0] == pytest.approx(reach, rel=1e-6)
        assert line["n"].iloc[0] == n
        assert np.diff(line["effect"]) == pytest.approx(slope * np.diff(line["bits"]), rel=1e-6)
        assert (line["high"] - line["effect"]).to_numpy() == pytest.approx(
            (line["effect"] - line["low"]).to_numpy(), rel=1e-6
        )
    few = candidates[candidates["item"].isin(candidates["item"].unique()[:5])]
    assert partial_effects(EYE, few, POLICY).empty

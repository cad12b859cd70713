"""What runs without right answers say: pairs, and profiles over stereotypes, those of each language apart."""

import math

import pandas as pd
import pytest

from pairlens.analysis.preferences import preference
from pairlens.analysis.stereotype_profile import profiles
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.tasks import TASKS
from tests.candidate_table import candidate_table


def _candidates(margins, gold=None):
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


def test_pairs_are_called_by_their_labels_and_unscored_ones_and_right_answers_do_not_count():
    named = _candidates([1.0, 2.0, -1.0]).replace({"label": {"A": "without", "B": "with"}})
    assert preference(named, Policy()) == {"finding": "without is preferred in 2 of 3 pairs", "n": 3}
    assert preference(_candidates([math.nan]), Policy()) == {}
    assert preference(_candidates([1.0], gold="A"), Policy()) == {}


# Profiles

SAMPLES = ROOT / "data" / "samples"


@pytest.mark.slow
def test_each_language_has_a_rate_and_sixteen_shares():
    items = list(TASKS["eurogest"].read(SAMPLES / "eurogest"))
    lean = {"French": 0.0, "Portuguese": 1.0}

    def score(item, candidate):
        men = candidate.label == "masculine" and item.groups["about"] == "men"
        return -5 + lean[item.groups["language"]] * men, 1

    table = candidate_table(items, score)
    rows = profiles(table, TASKS["eurogest"], Policy(), "conditional").set_index(["language", "group"])
    assert len(rows) == 2 * 17
    share = 1 / (1 + math.exp(-1))
    assert rows.loc[("French", ""), "value"] == pytest.approx(1)
    assert rows.loc[("Portuguese", ""), "value"] == pytest.approx(share / 0.5)
    assert rows.loc[("Portuguese", "Strong"), ["value", "section", "n"]].tolist() == [pytest.approx(share), "men", 2]
    assert rows.loc[("Portuguese", "Neat"), ["value", "section"]].tolist() == [0.5, "women"]
    items = list(TASKS["gest"].read(SAMPLES / "gest"))
    table = candidate_table(items, lambda _, c: (-5.0, 1))
    rows = profiles(table, TASKS["gest"], Policy(), "gap")
    assert set(rows["language"]) == {"English"} and rows["n_clusters"].max() == 32
    assert rows[rows["group"] == "Weak"][["value", "n", "n_clusters"]].iloc[0].tolist() == [0.5, 8, 2]

"""The BabyLM result folder, read back and held against released ones."""

import json
import math
from pathlib import Path

import pandas as pd
import pytest

from pairlens.analysis.summary import summarise
from pairlens.errors import InputError
from pairlens.evaluation.formats import NUMBERS, PREDICTIONS, REPORT, UNDECIDED, folder_for, write_babylm
from pairlens.policies import preset
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.types import Candidate, Item
from tests.candidate_table import candidate_table

POLICY = preset("babylm-2025")
BLIMP = TASKS["blimp"]


def written(folder, candidates, model="org/my-model-v1.5", revision=""):
    place = folder_for(folder, model, revision, "causal", "blimp", Path("/somewhere/blimp_filtered"))
    return into(place, candidates, BLIMP)


def into(folder, candidates, task, policy=POLICY):
    return write_babylm(folder, candidates, summarise(candidates, task, policy), task, policy)


def two_paradigms():
    """`one`: 3 of 3 right; `two`: 0 of 1."""
    rest = {"linguistics_term": "term", "field": "syntax"}
    items = [
        pair(f"{uid}_{n}", f"good {uid} {n}", f"bad {uid} {n}", {"UID": uid, "contrast": str(n), **rest})
        for uid, count in (("one", 3), ("two", 1))
        for n in range(count)
    ]
    return candidate_table(items, lambda i, c: (-1.0 if (c.label == "good") == (i.groups["UID"] == "one") else -2, 4))


@pytest.mark.slow
def test_the_folder_the_report_and_a_place_that_cannot_be_written(tmp_path):
    folder = written(tmp_path, two_paradigms())
    assert folder == tmp_path / "my-model-v1.5/main/zero_shot/causal/blimp/blimp_filtered"
    assert (folder / REPORT).read_text() == (
        "TEMPERATURE: 1.00\n\n"
        "### FIELD ACCURACY\nsyntax: 75.00\n\n"
        "### UID ACCURACY\none: 100.00\ntwo: 0.00\n\n"
        "### LINGUISTICS_TERM ACCURACY\nterm: 75.00\n\n"
        "### AVERAGE ACCURACY\n50.00\n\n"
    )
    assert json.loads((folder / PREDICTIONS).read_text()) == {
        "one": {"predictions": [{"id": f"one_{number}", "pred": f"good one {number}"} for number in range(3)]},
        "two": {"predictions": [{"id": "two_0", "pred": "bad two 0"}]},
    }
    folder = written(tmp_path, two_paradigms(), model="models/tiny/", revision="refs/pr/1")
    assert folder.relative_to(tmp_path).parts[:3] == ("tiny", "refs-pr-1", "zero_shot")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        written(tmp_path / "file", two_paradigms())


@pytest.mark.slow
def test_a_tie_predicts_the_first_an_unscored_item_nothing_and_our_numbers_stand_beside_the_pipelines(tmp_path):
    candidates = two_paradigms()
    candidates.loc[candidates["item"] == "one_0", "logprob"] = -1.0
    candidates.loc[(candidates["item"] == "one_1") & (candidates["label"] == "bad"), "logprob"] = math.nan
    folder = written(tmp_path, candidates)
    predictions = json.loads((folder / PREDICTIONS).read_text())["one"]["predictions"]
    assert [entry["pred"] for entry in predictions] == ["good one 0", "", "good one 2"]
    assert "### FIELD ACCURACY\nsyntax: 66.67\n\n" in (folder / REPORT).read_text()
    candidates = two_paradigms()
    candidates.loc[candidates["item"] == "two_0", "logprob"] = -1.0
    place = into(tmp_path / "here", candidates, BLIMP, preset("pairlens"))
    numbers = pd.read_csv(place / NUMBERS)
    assert numbers.loc[0, ["value", "ties_correct", "ties", "n"]].tolist() == [0.75, 1.0, 1, 4]
    why = pd.read_csv(place / UNDECIDED)
    assert why[["item", "why"]].to_numpy().tolist() == [["two_0", "tie"]]


def test_confidential_texts_are_not_written_and_predictions_of_an_earlier_run_do_not_stay(tmp_path):
    assert (written(tmp_path, two_paradigms()) / PREDICTIONS).is_file()
    folder = written(tmp_path, two_paradigms().assign(text=None))
    assert {file.name for file in folder.iterdir()} == {REPORT, NUMBERS, UNDECIDED}
    assert "good" not in (folder / UNDECIDED).read_text()


def test_entity_tracking_lists_splits_below_their_cells(tmp_path):
    right = {"regular_0_ops": -1.0, "regular_1_ops": -3.0, "ambiref_0_ops": -1.0}
    options = Candidate(" a.", "option 1", "In box"), Candidate(" b.", "option 2", "In box")
    items = [Item(f"{uid}_0", options, "option 1", {"UID": uid, "split": uid.partition("_")[0]}) for uid in right]
    candidates = candidate_table(items, lambda i, c: (right[i.groups["UID"]] if c.label == "option 1" else -2.0, 1))
    folder = into(tmp_path / "here", candidates, TASKS["entity_tracking"])
    assert (folder / REPORT).read_text() == (
        "TEMPERATURE: 1.00\n\n### UID ACCURACY\n"
        "regular_0_ops: 100.00\nregular_1_ops: 0.00\nambiref_0_ops: 100.00\nregular: 50.00\nambiref: 100.00\n\n"
        "### AVERAGE ACCURACY\n75.00\n\n"
    )


@pytest.mark.slow
def test_wug_keeps_probabilities_but_for_the_accuracy_of_may(tmp_path):
    ratios = {"w_0": 0.2, "w_1": 0.5, "w_2": 0.9}
    items = [
        pair(name, f"{name} a", f"{name} b", {"UID": "wug", "ratio": repr(ratio)}, ("first", "second"))
        for name, ratio in ratios.items()
    ]
    candidates = candidate_table(items, lambda i, c: (-4 + (ratios[i.id] if c.label == "first" else 0.5), 2))
    folder = into(tmp_path / "here", candidates, TASKS["wug_adj"])
    first = json.loads((folder / PREDICTIONS).read_text())["wug_adj"]["predictions"][0]
    assert first["prob"] == pytest.approx(1 / (1 + math.exp(0.3)))
    folder = into(tmp_path / "may", candidates, TASKS["wug_adj"], preset("babylm-2025-05"))
    assert "prob" not in (folder / PREDICTIONS).read_text()

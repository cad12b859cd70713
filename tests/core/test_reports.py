"""The BabyLM result folder, read back and held against released ones."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from core.analysis.summary import summarise
from core.errors import InputError
from core.policies import preset
from core.reports import PREDICTIONS, REPORT, write_babylm
from core.tasks import TASKS
from core.types import Candidate, Item
from tests.candidate_table import candidate_table

Find = Callable[[str], Path]
POLICY = preset("babylm-2025")
BLIMP = TASKS["blimp"]


def written(folder: Path, candidates: pd.DataFrame, model: str = "org/my-model-v1.5", revision: str = "") -> Path:
    summary = summarise(candidates, BLIMP, POLICY)
    data = Path("/somewhere/blimp_filtered")
    return write_babylm(folder, model, revision, "causal", "blimp", data, candidates, summary, POLICY)


def parsed(report: str) -> dict[str, dict[str, str]]:
    """Blocks of a report; the average is under the empty name. Fails on anything else in the file."""
    head, *blocks = report.removesuffix("\n\n").split("\n\n")
    assert head == "TEMPERATURE: 1.00"
    found: dict[str, dict[str, str]] = {}
    for block in blocks:
        title, *lines = block.split("\n")
        assert title.startswith("### ") and title.endswith(" ACCURACY")
        pairs = [line.rpartition(": ") for line in lines]
        found[title] = {name: number for name, _, number in pairs}
    return found


def two_paradigms() -> pd.DataFrame:
    """`one`: 3 of 3 right; `two`: 0 of 1."""
    items = [
        Item(
            f"{uid}_{number}",
            (Candidate(f"good {uid} {number}", "good"), Candidate(f"bad {uid} {number}", "bad")),
            "good",
            {"UID": uid, "linguistics_term": "term", "field": "syntax", "contrast": str(number)},
        )
        for uid, count in (("one", 3), ("two", 1))
        for number in range(count)
    ]
    return candidate_table(items, lambda i, c: (-1.0 if (c.label == "good") == (i.groups["UID"] == "one") else -2, 4))


def test_the_folder_and_the_report(tmp_path: Path) -> None:
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


def test_names_do_not_lead_out_of_the_folder(tmp_path: Path) -> None:
    folder = written(tmp_path, two_paradigms(), model="models/tiny/", revision="refs/pr/1")
    assert folder.relative_to(tmp_path).parts[:3] == ("tiny", "refs-pr-1", "zero_shot")


def test_a_tie_predicts_the_first_and_an_unscored_item_nothing(tmp_path: Path) -> None:
    candidates = two_paradigms()
    candidates.loc[candidates["item"] == "one_0", "logprob"] = -1.0
    candidates.loc[(candidates["item"] == "one_1") & (candidates["label"] == "bad"), "logprob"] = math.nan
    folder = written(tmp_path, candidates)
    predictions = json.loads((folder / PREDICTIONS).read_text())["one"]["predictions"]
    assert [entry["pred"] for entry in predictions] == ["good one 0", "", "good one 2"]
    assert parsed((folder / REPORT).read_text())["### FIELD ACCURACY"] == {"syntax": "66.67"}


def test_confidential_texts_are_not_written(tmp_path: Path) -> None:
    folder = written(tmp_path, two_paradigms().assign(text=None))
    assert [file.name for file in folder.iterdir()] == [REPORT]


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        written(tmp_path / "file", two_paradigms())


@pytest.mark.parametrize("model", ["opt-128-warmup", "mamba-8192-warmup"])
def test_released_predictions_give_the_released_reports(model: str, tmp_path: Path, shared_data: Find) -> None:
    """Candidates scored 0 if they are the released prediction and -1 if not: every number must come out again."""
    released = shared_data(f"babylm_results/{model}/main/zero_shot/causal/blimp/supplement_filtered")
    with gzip.open(released / "predictions.json.gz", "rt", encoding="utf-8") as file:
        predictions = json.load(file)
    chosen = {entry["id"]: entry["pred"] for uid in predictions.values() for entry in uid["predictions"]}
    data = shared_data("babylm/evaluation_data/full_eval/supplement_filtered")
    candidates = candidate_table(BLIMP.read(data), lambda i, c: (-float(c.text != chosen[i.id]), 1))
    summary = summarise(candidates, BLIMP, POLICY)
    folder = write_babylm(tmp_path, model, "", "causal", "blimp", data, candidates, summary, POLICY)
    assert folder.relative_to(tmp_path).as_posix() == f"{model}/main/zero_shot/causal/blimp/supplement_filtered"
    expected = (released / "best_temperature_report.txt").read_text()
    report = (folder / REPORT).read_text()
    assert parsed(report) == parsed(expected) and list(parsed(report)) == list(parsed(expected))
    assert len(report) == len(expected)
    assert json.loads((folder / PREDICTIONS).read_text()) == predictions

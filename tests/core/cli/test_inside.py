"""`pairlens inside`."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from core import api
from core.cli import main
from core.files.tables import read_table

pytestmark = pytest.mark.model
ASKED = ["inside", "The keys to the cabinet", "The key to the cabinet", "--forms", "are,is"]


def test_json_has_what_the_library_gives(capsys):
    assert main([*ASKED, "--format", "json", "--component", "mlp"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = api.inside(*ASKED[1:3], ["are", "is"], component="mlp")
    assert [cell["share"] for cell in printed["cells"]] == pytest.approx(found.cells["share"].tolist())
    assert {"layer", "position", "token", "component", "direction", "share", "bits"} <= printed["cells"][0].keys()
    assert printed["margins_bits"]["first"] == pytest.approx(found.margins[0])
    assert printed["signature"].startswith("task:inside.v1|data:")


def test_text_has_both_maps_and_the_ladder_and_a_second_beginning_is_proposed(capsys):
    assert main([ASKED[0], ASKED[1], *ASKED[3:]]) == 0
    out, err = capsys.readouterr()
    assert "Second beginning (number exchanged): The key to the cabinet" in err
    for line in (
        "States of “The keys to the cabinet” put into “The key to the cabinet”",
        "States of “The key to the cabinet” put into “The keys to the cabinet”",
        "Margin of are over is as each layer would give it",
        "suffices to move the decision",
    ):
        assert line in out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["inside", "The keys", "--forms", "are,is,was"], "two are compared here"),
        (["inside", "Xyzzy", "--forms", "are,is"], "give a second beginning"),
        ([*ASKED, "--component", "heads"], "attention, mlp, residual"),
        ([*ASKED, "--model", "bilingual-masked"], "read from left to right"),
        ([*ASKED, "--format", "xml"], "xml"),
    ],
)
def test_mistakes_are_one_sentence(arguments, why, capsys):
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert why in err and "Traceback" not in err


def test_a_table_is_a_run_whose_map_is_printed_and_written(tmp_path, capsys):
    data, output = tmp_path / "items.tsv", tmp_path / "map.csv"
    pd.DataFrame(
        {
            "first": ["The keys", "The dogs"],
            "second": ["The key", "The dog"],
            "form_first": "are",
            "form_second": "is",
        }
    ).to_csv(data, sep="\t", index=False)
    for line in ("scored 32, reused 0", "scored 0, reused 32"):
        assert main(["inside", "--data", str(data), "--output", str(output)]) == 0
        out, err = capsys.readouterr()
        assert line in err and "control: a random direction of the same size" in out
    found = api.mean_map(data)
    pd.testing.assert_frame_equal(read_table(output).astype(found.cells.dtypes), found.cells)
    assert main(["inside", "--data", str(data), "--format", "json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["run"] == found.run_id and printed["items"] == 2 and len(printed["cells"]) == len(found.cells)
    assert main(["runs", "show", found.run_id]) == 0
    assert "accuracy" in capsys.readouterr().out


def test_a_beginning_or_a_table_is_needed(capsys):
    assert main(["inside", "--forms", "are,is"]) == 2
    assert "or --data FILE" in capsys.readouterr().err

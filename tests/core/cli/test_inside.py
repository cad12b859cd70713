"""`pairlens inside`."""

import json

import pandas as pd
import pytest

import pairlens
from pairlens.files.tables import read_table

pytestmark = pytest.mark.model
ASKED = ["inside", "The keys to the cabinet", "The key to the cabinet", "--forms", "are,is"]


def test_json_has_what_the_library_gives(cli):
    _, out, _ = cli(*ASKED, "--format", "json", "--component", "mlp")
    printed, result = json.loads(out), pairlens.inside(*ASKED[1:3], ["are", "is"], component="mlp")
    assert [cell["share"] for cell in printed["cells"]] == pytest.approx(result.cells["share"].tolist())
    assert {"layer", "position", "token", "component", "direction", "share", "bits"} <= printed["cells"][0].keys()
    assert printed["margins_bits"]["first"] == pytest.approx(result.margins[0])
    assert printed["signature"].startswith("task:inside.v1|data:")


def test_text_has_both_maps_and_the_ladder_and_a_second_beginning_is_proposed(cli):
    status, out, err = cli(ASKED[0], ASKED[1], *ASKED[3:])
    assert status == 0
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
        (["inside", "--forms", "are,is"], "or --data FILE"),
        ([*ASKED, "--component", "heads"], "attention, mlp, residual"),
        ([*ASKED, "--model", "bilingual-masked"], "read from left to right"),
        ([*ASKED, "--format", "xml"], "xml"),
    ],
)
def test_mistakes_are_one_sentence(arguments, why, cli):
    status, _, err = cli(*arguments)
    assert status == 2 and why in err and "Traceback" not in err


def test_a_table_is_a_run_whose_map_is_printed_and_written(tmp_path, cli, save):
    data, output = save("items.tsv", "first\tsecond\tform_first\tform_second\nThe keys\tThe key\tare\tis\n"
                        "The dogs\tThe dog\tare\tis\n"), tmp_path / "map.csv"  # fmt: skip
    status, out, err = cli("inside", "--data", data, "--output", output)
    assert status == 0 and "scored 32, reused 0" in err and "control: a random direction of the same size" in out
    result = pairlens.mean_map(data)
    pd.testing.assert_frame_equal(read_table(output).astype(result.cells.dtypes), result.cells)
    _, out, err = cli("inside", "--data", data, "--format", "json")
    printed = json.loads(out)
    assert "scored 0, reused 32" in err
    assert printed["run"] == result.run_id and printed["items"] == 2 and len(printed["cells"]) == len(result.cells)
    status, out, _ = cli("runs", "show", result.run_id)
    assert status == 0 and "accuracy" in out

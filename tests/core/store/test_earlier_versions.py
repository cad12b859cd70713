"""What 0.2.0 stored is read by every later version: `tests/stored` holds a home, a run and a receipt that it wrote.

These files are never written again. A format that must change is read in its old form, too.
"""

from pathlib import Path

import pytest

import pairlens
from pairlens.evaluation.archive import unpack
from pairlens.evaluation.evaluate import recompute
from pairlens.evaluation.receipts.recompute import recomputed_file
from pairlens.store import Store
from pairlens.store.backup import restore
from pairlens.store.maintenance import verify
from pairlens.store.run_annotations import annotations_of

STORED = Path(__file__).parents[2] / "stored"
RUNS = {"pairs-f847dd2ea2": 1.0, "pairs-5cf3ee7d0f": 0.5, "pairs-2600a5d0b3": 1.0, "answers-27c3d24874": 4 / 6}


@pytest.fixture
def of_0_2_0(home):
    """The store of the home folder that 0.2.0 backed up."""
    store = Store(shipped=None)
    restore(store, STORED / "home-0.2.0.backup")
    return store


def test_runs_are_whole_with_their_numbers_their_marks_and_their_links(of_0_2_0):
    checked = verify(of_0_2_0)
    assert (checked.damaged, checked.runs) == ((), ())
    assert of_0_2_0.runs().set_index("run_id")["value"].to_dict() == pytest.approx(RUNS)
    marks = annotations_of(of_0_2_0, "pairs-f847dd2ea2")
    assert (marks.tags, marks.note) == (("kept",), "eight pairs of our own")
    assert of_0_2_0.manifest("pairs-2600a5d0b3")["link"] == "source=upload&region=5"
    assert of_0_2_0.manifest("pairs-2600a5d0b3")["title"] == "Attraction, four pairs"


def test_runs_can_be_asked_compared_traced_and_computed_anew(of_0_2_0):
    rows = pairlens.query("select run_id, count(*) as n from items group by run_id", limit=9).set_index("run_id")["n"]
    assert [rows[run_id] for run_id in RUNS] == [16, 16, 8, 6]
    of_a_run = "select distinct request_key from items where run_id = 'pairs-f847dd2ea2'"
    tokens = pairlens.query(f"select count(distinct request_key) as n from tokens where request_key in ({of_a_run})")
    assert tokens["n"].item() == 16
    two = pairlens.compare_runs(["pairs-f847dd2ea2", "pairs-5cf3ee7d0f"])
    assert two.differences["difference"].abs().iloc[0] == 0.5
    for run_id, value in RUNS.items():
        recompute(of_0_2_0, run_id)
        run = pairlens.run(run_id)
        assert run.value == pytest.approx(value) and run.receipt()["number"]["value"] == pytest.approx(value)
        assert "v:0.2.0" in run.signature


def test_a_run_that_travelled_and_a_receipt_are_read(store):
    assert unpack(store, STORED / "run-0.2.0.pairlens.zip").run_id == "pairs-f847dd2ea2"
    assert pairlens.run("pairs-f847dd2ea2").value == 1.0
    assert recomputed_file(STORED / "receipt-0.2.0.json") == (0.5, 0.5)

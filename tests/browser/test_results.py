"""Results in a real browser: made, ticked, opened, compared, deleted, brought back; sent elsewhere, received."""

from __future__ import annotations

import pytest

from pairlens.evaluation.archive import pack
from pairlens.store import Store
from tests.browser.dashboard import serve
from tests.run_of_pairs import run_of_pairs


@pytest.fixture(scope="module")
def fresh(browser_present, tmp_path_factory):
    """A dashboard of this file's own, and its store: empty for the first test, then with the runs of those before."""
    home = tmp_path_factory.mktemp("results")
    with serve(home) as address:
        yield address, Store(home / "store")


@pytest.fixture
def alone(arrive, fresh):
    """A visitor of it, and its store."""
    address, store = fresh
    return arrive(address), store


def test_from_nothing_to_a_run_that_is_opened_deleted_and_restored(alone):
    """A link to a page of a fresh server has the menu: Streamlit would run the page alone."""
    visitor, store = alone
    visitor.open("/zero_shot?data=Upload")
    assert visitor.reads("Files in the format of BLiMP")
    visitor.go("Results")
    assert visitor.reads("No results yet")
    visitor.press("Make two example runs")
    assert visitor.reads("prefers the right one in")
    visitor.settle()
    assert len(store.runs()) == 2 and visitor.errors() == []
    visitor.press("Close")
    visitor.until(lambda: not visitor.all(".pl-headline"), reason="the run is still open")
    visitor.row(1)
    visitor.press("Delete")
    visitor.until(lambda: len(store.runs()) == 1, reason="the run is still there")
    visitor.press("Undo: 1 deleted run")
    visitor.press("Restore")
    visitor.until(lambda: len(store.runs()) == 2, reason="the run did not come back")
    assert visitor.errors() == []
    assert visitor.strangers() == set() and visitor.complaints == []


@pytest.mark.soak
def test_a_run_of_another_machine_is_imported(alone, tmp_path):
    """Over a slow connection: the button waits for the file."""
    visitor, store = alone
    elsewhere = Store(tmp_path / "elsewhere", shipped=None)
    file = pack(elsewhere, run_of_pairs(elsewhere, margin=2.0), tmp_path / "run.pairlens.zip")
    before = len(store.runs())
    visitor.open("/results?view=bring")
    with visitor.slowly(seconds=2):
        visitor.give(file)
        visitor.press("Store as runs")
    visitor.press("Open")
    visitor.settle()
    assert visitor.errors() == [] and len(store.runs()) == before + 1


@pytest.mark.soak
def test_two_runs_are_compared_and_every_view_fits_a_phone(alone):
    visitor, store = alone
    runs = [run_of_pairs(store, margin=margin) for margin in (1.0, -1.0)]
    visitor.open(f"/results?view=compare&runs={','.join(runs)}")
    assert "on the same 4 pairs" in visitor.headline()
    assert visitor.reads("What differs in the recipe")
    visitor.settle()
    assert len(visitor.all('[data-testid="stVegaLiteChart"]')) == 2
    visitor.phone()
    assert visitor.overflow() <= 0 and visitor.errors() == []
    for view in (f"?run={runs[0]}", "?view=sql", "?view=upkeep"):
        visitor.open(f"/results{view}")
        assert visitor.overflow() <= 0 and visitor.errors() == [], view

"""Results in a real browser: made, ticked, opened, deleted and brought back; sent to another machine and received."""

from __future__ import annotations

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from core.runs.archive import pack
from core.store import Store
from tests.browser.dashboard import serve
from tests.browser.visitor import Visitor
from tests.run_of_pairs import run_of_pairs

ROW_HEIGHT = 35


@pytest.fixture(scope="module")
def fresh(browser_present, tmp_path_factory):
    """A dashboard of this file's own, and its store: empty for the first test, then with the runs of those before."""
    home = tmp_path_factory.mktemp("results")
    with serve(home) as address:
        yield address, Store(home / "store")


@pytest.fixture
def alone(driver, fresh):
    """A visitor of it, and its store."""
    address, store = fresh
    visitor = Visitor(driver, address)
    visitor.width(1280)
    visitor.forget()
    yield visitor, store
    driver.get("about:blank")


def tick(visitor: Visitor, row: int) -> None:
    """Tick a row of the first table, from 1."""
    table = visitor.all('[data-testid="stDataFrame"] canvas')[0]
    left, top = (-table.size["width"] / 2 + 15, -table.size["height"] / 2 + ROW_HEIGHT * (row + 0.5))
    ActionChains(visitor.driver).move_to_element_with_offset(table, int(left), int(top)).click().perform()
    visitor.settle()


def test_from_nothing_to_a_run_that_is_opened_deleted_and_restored(alone):
    visitor, store = alone
    visitor.open("/results")
    assert visitor.reads("No results yet")
    visitor.press("Make two example runs")
    assert visitor.reads("prefers the right one in", 90)
    visitor.settle(60)
    assert len(store.runs()) == 2 and visitor.errors() == []
    visitor.press("Close")
    visitor.until(lambda: not visitor.all(".pl-headline"), reason="the run is still open")
    tick(visitor, 1)
    visitor.press("Delete")
    visitor.until(lambda: len(store.runs()) == 1, reason="the run is still there")
    visitor.press("Undo: 1 deleted run")
    visitor.press("Restore")
    visitor.until(lambda: len(store.runs()) == 2, reason="the run did not come back")
    assert visitor.errors() == []
    visitor.listen()
    assert visitor.complaints == [] and visitor.strangers() == set()


def test_a_run_of_another_machine_is_imported(alone, tmp_path):
    """Over a slow connection: the button waits for the file."""
    visitor, store = alone
    elsewhere = Store(tmp_path / "elsewhere", shipped=None)
    file = pack(elsewhere, run_of_pairs(elsewhere), tmp_path / "run.pairlens.zip")
    before = len(store.runs())
    visitor.open("/results")
    visitor.press("Import")
    field = visitor.until(lambda: visitor.driver.find_elements(By.CSS_SELECTOR, "input[type=file]"))[0]
    with visitor.slowly(seconds=1):
        field.send_keys(str(file))
        assert not visitor.button("Import this file").is_enabled()
        visitor.press("Import this file")
    assert visitor.reads("scored on another machine", 240)
    assert visitor.errors() == [] and len(store.runs()) == before + 1


def test_every_view_fits_a_phone(alone):
    visitor, store = alone
    runs = [run_of_pairs(store, margin=margin) for margin in (1.0, -1.0)]
    visitor.width(390, 844)
    views = ("", f"?run={runs[0]}", f"?view=compare&runs={','.join(runs)}", "?view=sql", "?view=upkeep")
    for view in views:
        visitor.driver.get(f"{visitor.address}/results{view}")
        visitor.settle(120)
        assert visitor.overflow() <= 0 and visitor.errors() == [], view


def test_a_query_the_open_tab_and_the_differences_are_there_again(alone):
    """By the menu, by Back and after a reload."""
    visitor, store = alone
    for margin in (1.0, -1.0):
        run_of_pairs(store, margin=margin)
    visitor.open("/results?view=compare")
    assert visitor.reads("What differs in the recipe")
    visitor.open("/results?view=sql")
    visitor.type("SELECT ...", "select 7 * 6 as answer")
    visitor.settle()
    visitor.press("Run query")
    assert visitor.reads("1 row,") and visitor.linked("query=select")
    visitor.settle()
    visitor.press("Models")
    assert visitor.reads("Click a row for details")
    visitor.settle()
    visitor.press("Results")
    assert visitor.reads("1 row,") and visitor.linked("query=select")
    visitor.settle()
    visitor.press("Models")
    assert visitor.reads("Click a row for details")
    visitor.settle()
    visitor.driver.back()
    assert visitor.reads("1 row,") and visitor.linked("query=select")
    visitor.reload()
    assert visitor.reads("1 row,") and visitor.errors() == []

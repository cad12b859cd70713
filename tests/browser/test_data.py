"""The page of data in a real browser: choosing a row, uploading, getting a set, reading what the linter found."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from core.files.datasets import named
from tests.browser.dashboard import serve
from tests.browser.visitor import Visitor

TIES = """good;bad;kind
The cat is tired.;The cat are tired.;a
A <b>dog</b> is *old*.;A <b>dog</b> is *old*.;b
Les filles sont là.;Les filles est là.;a
"""
ROW_HEIGHT = 35


def open_tab(visitor: Visitor, name: str) -> None:
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if name in one.text), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


def give(visitor: Visitor, file: Path) -> None:
    visitor.open("/data?shelf=Your+files")
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(file))


def test_a_click_on_a_row_opens_that_set(visitor):
    visitor.open("/data")
    assert visitor.reads("BLiMP · 100 pairs")
    table = visitor.all('[data-testid="stDataFrame"] canvas')[0]
    left, top = (-table.size["width"] / 2 + 15, -table.size["height"] / 2 + ROW_HEIGHT * 2.5)
    ActionChains(visitor.driver).move_to_element_with_offset(table, int(left), int(top)).click().perform()
    assert visitor.reads("Agreement · 64 items")
    assert visitor.linked("set=agreement")
    visitor.reload()
    assert visitor.reads("Agreement · 64 items")


def test_a_file_is_given_read_and_looked_at(visitor, tmp_path):
    file = tmp_path / "mine.csv"
    file.write_bytes(TIES.encode("cp1252"))
    give(visitor, file)
    assert visitor.reads("1 of 3 pairs is identical and can only tie (row 3).")
    assert "A <b>dog</b> is *old*." in visitor.text(), "shown as it was typed"
    visitor.reload()
    assert visitor.reads("1 of 3 pairs is identical"), "the file stays"
    open_tab(visitor, "Items")
    open_tab(visitor, "By group")
    assert visitor.errors() == []
    open_tab(visitor, "Problems found")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("%3Cb%3Edog")


def test_looking_at_a_large_set_can_be_cancelled(visitor, tmp_path):
    file = tmp_path / "large.csv"
    rows = "".join(f"The cat number {n} is here.,The cat number {n} are here.\n" for n in range(60_000))
    file.write_text(f"good,bad\n{rows}")
    give(visitor, file)
    assert visitor.reads("Check 60,000 pairs", 90)
    visitor.settle()
    visitor.press("Check 60,000 pairs")
    assert visitor.reads(" checks …")
    visitor.driver.execute_script("arguments[0].click()", visitor.button("Cancel"))  # the page may still be scrolling
    assert visitor.reads("Check 60,000 pairs", 60)
    visitor.settle(60)
    assert visitor.button("Check 60,000 pairs") and visitor.errors() == []
    assert "in 60,000 pairs" not in visitor.text(), "nothing was kept of what was cancelled"


def test_a_file_that_nothing_reads_is_said_so_and_deleted(visitor, tmp_path):
    file = tmp_path / "notes.jsonl"
    file.write_text('{"something": "else"}\n')
    give(visitor, file)
    assert visitor.reads("No format fits.")
    assert visitor.errors() == []
    visitor.press("Delete")
    visitor.press("Delete the files")
    visitor.until(lambda: "No format fits." not in visitor.text(), reason="the file is still there")
    assert visitor.errors() == []


def test_a_set_is_got_from_a_mirror_and_deleted(driver, tmp_path, shared_data, monkeypatch):
    monkeypatch.setenv("PAIRLENS_MIRROR", str(shared_data(named("crows_pairs").mirror).parent))
    with serve(tmp_path) as address:
        visitor = Visitor(driver, address)
        visitor.width(1280)
        visitor.open("/data?shelf=Public+sets&set=crows_pairs")
        visitor.press("Get (0.6 MB)")
        assert visitor.reads("1,508 pairs", 60)
        assert visitor.reads("Run it in Benchmarks") and visitor.errors() == []
        visitor.settle()
        visitor.press("Delete")
        visitor.press("Delete it here")
        visitor.until(lambda: "Run it in Benchmarks" not in visitor.text(), reason="the set is still there")
        assert visitor.button("Get (0.6 MB)") and visitor.errors() == []
        driver.get("about:blank")


@pytest.mark.parametrize("shelf", ["Our+samples", "Public+sets", "Your+files"])
def test_every_shelf_fits_a_phone(visitor, shelf):
    visitor.width(390, 844)
    visitor.open(f"/data?shelf={shelf}")
    assert visitor.overflow() <= 0 and visitor.errors() == []
    visitor.listen()
    assert visitor.complaints == [] and visitor.strangers() == set()


def test_a_file_and_its_columns_are_there_again(visitor, tmp_path):
    """By the menu and by Back; a reload brings the file back, by its id in the link."""
    file = tmp_path / "unknown.csv"
    file.write_text("ok,not ok\nThe cat is tired.,The cat are tired.\n")
    give(visitor, file)
    assert visitor.reads("Which columns hold the good and the bad texts?") and visitor.linked("set=")
    for again in (lambda: visitor.press("Data"), visitor.driver.back):
        visitor.settle()
        visitor.press("Models")
        assert visitor.reads("Click a row for details")
        visitor.settle()
        again()
        assert visitor.reads("Which columns hold") and visitor.linked("set=")
    visitor.reload()
    assert visitor.reads("Which columns hold") and visitor.errors() == []

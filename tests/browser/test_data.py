"""The page of data in a real browser: choosing a row, uploading, getting a set, reading what the linter found."""

from __future__ import annotations

import pytest

from pairlens.files.datasets import named

TIES = """good;bad;kind
The cat is tired.;The cat are tired.;a
A <b>dog</b> is *old*.;A <b>dog</b> is *old*.;b
Les filles sont là.;Les filles est là.;a
"""
LARGE = 20_000
FILES = "/data?shelf=Your+files"


def test_a_click_on_a_row_opens_that_set_and_every_shelf_fits_a_phone(visitor):
    visitor.open("/data")
    assert visitor.reads("BLiMP · 100 pairs")
    visitor.row(2)
    assert visitor.reads("Agreement · 64 items")
    assert visitor.linked("set=agreement")
    visitor.reload()
    assert visitor.reads("Agreement · 64 items")
    visitor.phone()
    assert visitor.overflow() <= 0 and visitor.errors() == []
    for shelf in ("Public sets", "Your files"):
        visitor.press(shelf)
        visitor.linked(f"shelf={shelf.replace(' ', '+')}")
        visitor.settle()
        assert visitor.overflow() <= 0 and visitor.errors() == []
    assert visitor.strangers() == set() and visitor.complaints == []


def test_files_are_given_read_and_looked_at_and_what_nothing_reads_is_deleted(visitor, tmp_path):
    unread, file = tmp_path / "notes.jsonl", tmp_path / "mine.csv"
    unread.write_text('{"something": "else"}\n')
    file.write_bytes(TIES.encode("cp1252"))
    visitor.open(FILES)
    visitor.give(unread)
    assert visitor.reads("No format fits.")
    visitor.settle()
    assert visitor.errors() == []
    visitor.press("Delete")
    visitor.press("Delete the files")
    visitor.until(lambda: "No format fits." not in visitor.text(), reason="the file is still there")
    visitor.open(FILES)  # or the driver would give the first file again with the second
    visitor.give(file)
    assert visitor.reads("1 of 3 pairs is identical and can only tie (row 3).")
    assert "A <b>dog</b> is *old*." in visitor.text(), "shown as it was typed"
    visitor.reload()
    assert visitor.reads("1 of 3 pairs is identical"), "the file stays"
    visitor.tab("Items")
    visitor.tab("By group")
    assert visitor.errors() == []
    visitor.tab("Problems found")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("%3Cb%3Edog")


@pytest.mark.soak
def test_looking_at_a_large_set_can_be_cancelled(visitor, tmp_path):
    file = tmp_path / "large.csv"
    rows = "".join(f"The cat number {n} is here.,The cat number {n} are here.\n" for n in range(LARGE))
    file.write_text(f"good,bad\n{rows}")
    visitor.open(FILES)
    visitor.give(file)
    assert visitor.reads(f"Check {LARGE:,} pairs")
    visitor.settle()
    visitor.press(f"Check {LARGE:,} pairs")
    assert visitor.reads(" checks …")
    visitor.driver.execute_script("arguments[0].click()", visitor.button("Cancel"))  # the page may still be scrolling
    visitor.settle()
    assert visitor.button(f"Check {LARGE:,} pairs") and visitor.errors() == []
    assert f"in {LARGE:,} pairs" not in visitor.text(), "nothing was kept of what was cancelled"


@pytest.mark.soak
def test_a_set_is_got_from_a_mirror_and_deleted(visitor, dashboard_home, shared_data):
    folder = named("crows_pairs").mirror
    (dashboard_home / "mirror" / folder).symlink_to(shared_data(folder))
    visitor.open("/data?shelf=Public+sets&set=crows_pairs")
    visitor.press("Get (0.6 MB)")
    assert visitor.reads("1,508 pairs")
    assert visitor.reads("Run it in Benchmarks") and visitor.errors() == []
    visitor.settle()
    visitor.press("Delete")
    visitor.press("Delete it here")
    visitor.until(lambda: "Run it in Benchmarks" not in visitor.text(), reason="the set is still there")
    assert visitor.button("Get (0.6 MB)") and visitor.errors() == []

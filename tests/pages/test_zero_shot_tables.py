"""The page of benchmarks with a table of the visitor's own, and with a task that models are asked differently."""

from __future__ import annotations

import html
import re

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from core.files.tables import write_workbook
from core.settings import ROOT
from pages.components.shared import frame
from pages.components.shared.datasets import PATH, UPLOAD

FRENCH = ROOT / "data" / "samples" / "pairs_french"
TABLE = "oui;non;thème\nthe horses are;the horses is;déjà\nthe cat is;the cat are;déjà\n".encode("cp1252")


@pytest.fixture
def visit(unigram, monkeypatch):
    """`visit(data=PATH)`: the page as opened by a link with these parameters."""
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)

    def open_page(**params: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
        page.switch_page("pages/zero_shot.py")
        for name, value in {"model_name": unigram, **params}.items():
            page.query_params[name] = value
        return page.run()

    return open_page


def words(page: AppTest) -> str:
    """All that is written on the page."""
    assert not page.exception
    shown = [str(element.value) for element in (*page.markdown, *page.html, *page.error)]
    return html.unescape(re.sub("<[^>]+>", "", " ".join(shown)))


def box(page: AppTest, label: str):
    return next(one for one in (*page.selectbox, *page.multiselect) if one.label == label)


def test_usual_columns_are_found_and_said(visit):
    page = visit(task="pairs", data=PATH, path=str(FRENCH))
    assert "sentences = sentence · grammaticality says grammatical or ungrammatical" in words(page)
    assert "with semicolons between columns" in words(page) and "12 pairs" in words(page)


def test_other_columns_can_be_named(visit):
    page = visit(task="pairs", data=UPLOAD)
    page.file_uploader[0].set_value(("table.csv", TABLE, "text/csv")).run()
    assert "Which columns hold the good and the bad texts?" in words(page)
    box(page, "Good").set_value("oui")
    box(page, "Bad").set_value("non")
    box(page, "Groups").set_value(["thème"])
    page.run()
    assert "Columns: good = oui · bad = non · paradigm = thème." in words(page) and "2 pairs" in words(page)
    command = next(code.value for code in page.code if "zero-shot" in code.value)
    assert "--good oui --bad non" in command and "--group 'thème'" in command


def test_a_model_that_cannot_be_asked_the_usual_way_is_asked_another(visit):
    page = visit(task="crows_pairs")
    assert "For tiny-unigram this is compared: log p(context + text): the whole text." in words(page)
    assert "24 pairs" in words(page)


def test_quotation_marks_can_be_read_otherwise(visit):
    page = visit(task="pairs", data=UPLOAD)
    table = b'good,bad\nThe cat sleeps.,"The cat sleep.\nThe dogs run.,The dogs runs."\n'
    page.file_uploader[0].set_value(("table.csv", table, "text/csv")).run()
    assert "table.csv, row 2: a quotation mark takes these 2 lines into one cell." in words(page)
    box(page, "Quotation marks").set_value("part of the text").run()
    assert "2 pairs" in words(page)
    command = next(code.value for code in page.code if "zero-shot" in code.value)
    assert "--quoting none" in command


def test_the_sheet_of_a_workbook_can_be_chosen(visit, tmp_path):
    sheets = {
        "Notes": pd.DataFrame({"made": ["by hand"]}),
        "Items": pd.DataFrame({"good": ["The cat sleeps."], "bad": ["The cat sleep."]}),
        "More": pd.DataFrame({"good": ["#N/A", "The dogs run."], "bad": ["The cat.", "The dogs runs."]}),
    }
    write_workbook(sheets, tmp_path / "a.xlsx")
    page = visit(task="pairs", data=UPLOAD)
    page.file_uploader[0].set_value(("a.xlsx", (tmp_path / "a.xlsx").read_bytes(), "")).run()
    assert "a.xlsx, sheet 'Items' (there are also 'Notes', 'More'" in words(page) and "1 pair" in words(page)
    box(page, "Sheet").set_value("More").run()
    assert "2 pairs" in words(page) and "sheet 'More'" in words(page)
    assert "--sheet More" in next(code.value for code in page.code if "zero-shot" in code.value)

"""The page of benchmarks in a real browser: a run from the first press to the result, through reload and cancel."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import TINY

PARADIGMS = 20
LINES = 500
PHONE = 390, 844
SLACK = 1.1
"""Wider fonts may break a line more."""


def link(**params: str) -> str:
    return "/zero_shot?" + urlencode({"model_name": TINY, **params})


@pytest.fixture(scope="module")
def long_data(tmp_path_factory):
    """Ten thousand pairs: enough to reload and to cancel while they are scored."""
    folder = tmp_path_factory.mktemp("long")
    for paradigm in range(PARADIGMS):
        boats = [f"Boat {n} of row {paradigm}" for n in range(LINES)]
        lines = [json.dumps({"sentence_good": f"{one} is red.", "sentence_bad": f"{one} are red."}) for one in boats]
        (folder / f"row_{paradigm}.jsonl").write_text("\n".join(lines))
    return folder


def test_the_answer_stands_in_the_first_screen_and_a_clicked_mark_leads_to_an_item(visitor):
    visitor.open("/zero_shot")
    assert "of our 100 sample pairs" in visitor.headline()
    assert visitor.all(".pl-headline")[0].rect["y"] < 700
    visitor.phone()
    assert visitor.all(".pl-headline")[0].rect["y"] < SLACK * PHONE[1] and visitor.overflow() <= 0
    visitor.width(1280)
    visitor.tab("Items by margin")
    visitor.point('.mark-rect path[aria-label*="agreement_relative"]', "Only agreement_relative. 20 of 20 pairs")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("who+guard+the+bridge")
    assert "Prefers B" in visitor.headline(), "the worst decision comes first"
    assert "english-small" in visitor.text() and visitor.errors() == []


def test_a_chosen_benchmark_is_run_to_its_result(visitor):
    """Both are there after a reload."""
    visitor.width(*PHONE)
    visitor.open(link())
    assert visitor.reads("100 pairs")
    search = visitor.all('[data-testid="stSelectbox"] input')[0]
    search.click()
    search.send_keys("wug test: past")
    visitor.until(lambda: len(visitor.all("[role=option]")) == 1, reason="the search did not narrow the list")
    search.send_keys(Keys.ENTER)
    assert visitor.linked("task=wug_past")
    visitor.press("Run")
    answer = visitor.headline()
    assert f"On our 14 sample items, the preferences of {TINY}" in answer
    visitor.reload()
    assert visitor.headline() == answer, "a finished run is shown without another"
    assert visitor.linked("task=wug_past") and visitor.errors() == [] and visitor.overflow() <= 0


@pytest.mark.soak
def test_a_run_is_scored_by_both_rules_at_several_temperatures(visitor):
    visitor.open(link())
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    assert visitor.reads("prefers the right one")
    visitor.tab("All policies")
    visitor.press("Score by both rules")
    assert visitor.reads("pairlens beside the published rules (babylm-2025)")
    assert visitor.errors() == []
    visitor.tab("Temperature")
    assert visitor.reads("Only temperature 1 is stored")
    visitor.press("Score at these temperatures")
    assert visitor.reads("chosen on the evaluation data")
    visitor.settle()
    assert visitor.errors() == []


@pytest.mark.soak
def test_a_long_run_is_cancelled_and_goes_on_where_it_was(visitor, long_data):
    visitor.open(link(data="Path", path=str(long_data)))
    assert visitor.reads("10,000 pairs")
    visitor.press("Run")
    visitor.reads("per second")
    visitor.reload()
    assert visitor.reads("per second")
    visitor.press("Cancel")
    assert visitor.reads("texts are already scored: Run goes on from there.")
    assert "Stopped. " in visitor.text()
    assert visitor.errors() == []


def test_a_folder_named_by_its_path_is_recognised_and_run_without_a_press(visitor, long_data):
    visitor.open(link())
    visitor.press("Open files")
    [field] = visitor.until(lambda: visitor.all("input[aria-label$='by its path']"), reason="no place for a path")
    field.send_keys(str(long_data), Keys.ENTER)
    assert visitor.reads("row_0.jsonl, row_1.jsonl, row_10.jsonl and 17 more: BLiMP, 10,000 pairs")
    assert visitor.reads("prefers the right one in")
    assert visitor.errors() == []


@pytest.mark.soak
def test_two_models_stand_side_by_side(visitor):
    visitor.open("/zero_shot?" + urlencode({"model_name": ["english-small", "unigram-english"]}, doseq=True))
    visitor.press("Run")
    assert visitor.reads("test of exchanging answers")
    visitor.settle()
    assert len(visitor.all(".pl-headline")) == 2
    charts = visitor.all('[data-testid="stVegaLiteChart"]')
    assert len(charts) == 4, "beside what was published, paradigms, differences, margins"
    assert "unigram-english" in charts[1].text and visitor.errors() == []


@pytest.mark.parametrize("task", ["ewok", "reading"])
@pytest.mark.soak
def test_every_kind_of_benchmark_is_run_and_fits_a_phone(visitor, task):
    """One whose texts are confidential, and one that decides nothing item by item."""
    visitor.width(*PHONE)
    visitor.open(link(task=task))
    visitor.press("Run")
    assert visitor.headline()
    visitor.settle()
    assert visitor.errors() == [] and visitor.overflow() <= 0

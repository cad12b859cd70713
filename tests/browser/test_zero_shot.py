"""The page of benchmarks in a real browser: a run from the first press to the result, through reload and cancel."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

PARADIGMS = 20
LINES = 2500


def link(**params: str) -> str:
    return "/zero_shot?" + urlencode({"model_name": TINY, **params})


@pytest.fixture(scope="module")
def long_data(tmp_path_factory):
    """Fifty thousand pairs: enough to reload and to cancel while they are scored."""
    folder = tmp_path_factory.mktemp("long")
    for paradigm in range(PARADIGMS):
        lines = [
            json.dumps(
                {
                    "sentence_good": f"Boat {n} of row {paradigm} is red.",
                    "sentence_bad": f"Boat {n} of row {paradigm} are red.",
                }
            )
            for n in range(LINES)
        ]
        (folder / f"row_{paradigm}.jsonl").write_text("\n".join(lines))
    return folder


def finished(visitor: Visitor) -> None:
    """Open the sample's result; run it if no test before has."""
    visitor.open(link())
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    visitor.reads("prefers the right one")
    visitor.settle()


def test_the_sample_is_run_to_the_end_through_a_reload(visitor):
    visitor.open(link())
    assert visitor.reads("100 pairs")
    visitor.press("Run")
    visitor.reads("BLiMP · blimp · tiny")
    visitor.reload()
    assert visitor.reads("prefers the right one")
    assert visitor.errors() == []
    visitor.reload()
    assert visitor.reads("prefers the right one", 5), "a finished run is shown at once"


def test_a_click_on_a_paradigm_shows_its_items_and_one_opens_in_compare(visitor):
    finished(visitor)
    marks = '[data-testid="stVegaLiteChart"] .mark-rect path[aria-label*="reflexive_number"]'
    row = visitor.until(lambda: visitor.all(marks), reason="no row for reflexive_number")[0]
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", row)
    ActionChains(visitor.driver).move_to_element(row).click().perform()
    assert visitor.reads("Only reflexive_number. 20 of 20 pairs")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("sel"), "himself, herself, itself or themselves"
    assert "Prefers B" in visitor.headline(), "the worst decision comes first"
    assert TINY in visitor.text()


def test_a_long_run_is_cancelled_and_goes_on_where_it_was(visitor, long_data):
    visitor.open(link(data="Path", path=str(long_data)))
    assert visitor.reads("50,000 pairs")
    visitor.press("Run")
    visitor.reads("per second")
    visitor.reload()
    assert visitor.reads("per second")
    visitor.press("Cancel")
    assert visitor.reads("texts are already scored: Run goes on from there.")
    assert "Stopped. " in visitor.text()
    assert visitor.errors() == []


def open_tab(visitor: Visitor, name: str) -> None:
    """Press a tab of a result."""
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if name in one.text), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


def test_two_models_stand_side_by_side(visitor):
    finished(visitor)
    visitor.open("/zero_shot?" + urlencode({"model_name": [TINY, "unigram-english"]}, doseq=True))
    if len(visitor.all(".pl-headline")) < 2:
        visitor.press("Run")
    assert visitor.reads("test of exchanging answers")
    visitor.settle()
    assert len(visitor.all(".pl-headline")) == 2
    charts = visitor.all('[data-testid="stVegaLiteChart"]')
    assert len(charts) == 4, "beside what was published, paradigms, differences, margins"
    assert "unigram-english" in charts[1].text and visitor.errors() == []


def test_temperatures_are_scored_and_become_a_curve(visitor):
    finished(visitor)
    open_tab(visitor, "Temperature")
    assert visitor.reads("Only temperature 1 is stored")
    visitor.press("Score at these temperatures")
    assert visitor.reads("chosen on the evaluation data")
    visitor.settle()
    assert visitor.errors() == []


def test_the_published_rules_stand_beside_ours(visitor):
    finished(visitor)
    open_tab(visitor, "All policies")
    visitor.press("Score by both rules")
    assert visitor.reads("pairlens beside the published rules (babylm-2025)", 60)
    assert visitor.errors() == []


@pytest.mark.parametrize("task", ["ewok", "reading"])
def test_every_kind_of_benchmark_is_run(visitor, task):
    """One whose texts are confidential, and one that decides nothing item by item; on a phone none is too wide."""
    visitor.open(link(task=task))
    visitor.press("Run")
    visitor.until(lambda: visitor.all(".pl-headline"), reason="no headline")
    visitor.settle()
    assert visitor.errors() == []
    visitor.width(390, 844)
    visitor.settle()
    assert visitor.overflow() <= 0


def test_a_bad_upload_is_one_sentence(visitor, tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"sentence_good": "A cat.", "sentence_bad": "A cats."}\nnot JSON\n')
    visitor.open(link(data="Upload"))
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(wrong))
    found = visitor.until(visitor.errors, reason="nothing was said about the file")
    assert len(found) == 1
    assert "wrong.jsonl, line 2" in found[0]


def test_a_finished_run_fits_a_phone(visitor):
    visitor.width(390, 844)
    finished(visitor)
    assert visitor.overflow() <= 0


def test_the_answer_stands_in_the_first_screen_and_the_chosen_benchmark_is_kept(visitor):
    visitor.open("/zero_shot")
    assert "of our 100 sample pairs" in visitor.headline()
    assert visitor.all(".pl-headline")[0].rect["y"] < 700
    search = visitor.all('[data-testid="stSelectbox"] input')[0]
    search.click()
    search.send_keys("wug test: past")
    visitor.until(lambda: len(visitor.all("[role=option]")) == 1, reason="the search did not narrow the list")
    search.send_keys(Keys.ENTER)
    assert visitor.linked("task=wug_past")
    visitor.reload()
    assert visitor.linked("task=wug_past") and "sample items" in visitor.text()
    visitor.width(390, 844)
    visitor.settle()
    assert visitor.all(".pl-headline")[0].rect["y"] < 844 and visitor.overflow() <= 0

"""The page of benchmarks in a real browser: a run from the first press to the result, through reload and cancel."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.conftest import TINY

CHARTS = '[data-testid="stVegaLiteChart"]'


def link(**params: object) -> str:
    return "/zero_shot?" + urlencode({"model_name": TINY, **params}, doseq=True)


def data(folder, pairs, paradigms=2):
    """A folder in BLiMP's format."""
    for paradigm in range(paradigms):
        about = [f"Boat {n} of row {paradigm}" for n in range(pairs)]
        lines = [json.dumps({"sentence_good": f"{one} is red.", "sentence_bad": f"{one} are red."}) for one in about]
        (folder / f"row_{paradigm}.jsonl").write_text("\n".join(lines))
    return {"data": "Path", "path": str(folder)}


def test_a_run_shows_more_by_one_press_each(visitor, tmp_path):
    """Through a reload to the end; temperatures, the published rules, all policies; an item in Compare."""
    visitor.open(link(**data(tmp_path, 3)))
    assert visitor.reads("6 pairs")
    visitor.press("Run")
    visitor.reads("prefers the right one")
    visitor.reload()
    assert visitor.reads("prefers the right one")
    visitor.tab("Temperature")
    assert visitor.reads("Only temperature 1 is stored")
    visitor.press("Score at these temperatures")
    assert visitor.reads("chosen on the evaluation data")
    visitor.tab("All policies")
    assert visitor.reads("under all 4 policies")
    assert visitor.overflow() <= 0 and "11 policies are not scored yet: about " in visitor.text()
    visitor.press("Score by both rules")
    assert visitor.reads("pairlens beside the published rules (babylm-2025)")
    visitor.press("Score them")
    visitor.reads("under all 15 policies")
    visitor.settle()
    assert any("PMI: log p(text" in chart.text for chart in visitor.all(CHARTS))
    assert "not scored yet" not in visitor.text() and visitor.errors() == []
    visitor.phone()
    assert visitor.overflow() <= 0
    visitor.width(1280)
    visitor.tab("Paradigms")
    visitor.point('.mark-rect path[aria-label*="row_1"]')
    assert visitor.reads("Only row_1. 3 of 3 pairs")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("of+row+1") and TINY in visitor.text()


def test_a_long_run_is_cancelled_and_goes_on_where_it_was(visitor, tmp_path):
    visitor.open(link(**data(tmp_path, 1_000, paradigms=20)))
    assert visitor.reads("20,000 pairs")
    visitor.press("Run")
    visitor.reads("per second")
    visitor.press("Cancel")
    assert visitor.reads("texts are already scored: Run goes on from there.")
    assert "Stopped. " in visitor.text()
    assert visitor.errors() == []


def test_two_models_stand_side_by_side(visitor, tmp_path):
    visitor.open(link(model_name=[TINY, "unigram-english"], **data(tmp_path, 4)))
    visitor.press("Run")
    assert visitor.reads("test of exchanging answers")
    visitor.settle()
    assert len(visitor.all(".pl-headline")) == 2
    charts = visitor.all(CHARTS)
    assert len(charts) == 4, "beside what was published, paradigms, differences, margins"
    assert "unigram-english" in charts[1].text and visitor.errors() == []


@pytest.mark.parametrize("task", ["ewok", "reading"])
def test_every_kind_of_benchmark_is_run(visitor, task):
    """One whose texts are confidential, and one that decides nothing item by item; on a phone none is too wide."""
    visitor.open(link(task=task))
    visitor.press("Run")
    visitor.headline()
    visitor.phone()
    assert visitor.overflow() <= 0 and visitor.errors() == []


def test_the_answer_stands_in_the_first_screen_and_the_chosen_benchmark_is_kept(visitor):
    """Only its beginning on a phone, where fonts decide how many lines it has."""
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
    visitor.phone()
    assert visitor.all(".pl-headline")[0].rect["y"] < 1.2 * 844 and visitor.overflow() <= 0


def test_a_bad_upload_is_one_sentence(visitor, tmp_path):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"sentence_good": "A cat.", "sentence_bad": "A cats."}\nnot JSON\n')
    visitor.open(link(data="Upload"))
    visitor.give(wrong)
    (sentence,) = visitor.until(visitor.errors, reason="nothing was said about the file")
    assert "wrong.jsonl, line 2" in sentence

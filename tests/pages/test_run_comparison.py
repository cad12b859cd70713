"""Runs beside each other on the page: the answer, what it rests on, and what is said instead of one."""

import html
import re
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import pairlens
from pairlens.evaluation.evaluate import evaluate
from pairlens.places import FOLDER as ROOT
from pairlens.policies import preset_for
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.on_page import box, of_tab, open_tabs

LASTING = True
SAMPLES = ROOT / "data" / "samples"


def stored(model: str, task: str = "blimp", like: str = "pairlens", data: Path | None = None) -> str:
    """The id of a finished run."""
    policy = preset_for(like, TASKS[task].sets)
    return list(evaluate(TASKS[task], data or SAMPLES / task, pairlens.recipe(model, policy=policy), Store()))[
        -1
    ].run_id


@pytest.fixture
def compare(home, monkeypatch):
    """`compare(ID, ID, metric="lms")`: the comparison of these runs, as opened by a link with these parameters."""
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)  # here are no other pages to lead to

    def script(run_ids: list[str]) -> None:
        from pages.components.results.comparison import show_run_comparison

        show_run_comparison(run_ids)

    def open_comparison(*run_ids: str, **params: str) -> AppTest:
        page = AppTest.from_function(script, args=(list(run_ids),))
        for name, value in params.items():
            page.query_params[name] = value
        return page.run()

    return open_comparison


def words(page: AppTest) -> str:
    """All that is written in the comparison."""
    assert not page.exception, page.exception
    shown = [str(element.value) for element in (*page.markdown, *page.html, *page.header)]
    return html.unescape(re.sub("<[^>]+>", "", " ".join(shown)))


CHANGED = "Items that changed sides"


def test_with_fewer_than_two_runs_it_says_what_to_do(compare, unigram):
    for run_ids in ((), (stored(unigram),)):
        assert "Choose two or more runs" in words(compare(*run_ids))


def test_two_models_on_the_same_pairs(compare, unigram):
    with open_tabs(CHANGED):
        page = compare(stored(unigram), stored("unigram-english"))
    said = words(page)
    assert "on the same 100 pairs." in said and "test of exchanging answers" in said
    assert "changed sides" in said and "Weights (sha256)".lower() in said
    assert [tab.label for tab in page.tabs] == [
        "Tests by group", "Every number", CHANGED, "All items", "What differs in the recipe",
        "Identical settings",
    ]  # fmt: skip
    assert "Right in" in of_tab(page, CHANGED).dataframe[0].value


def test_reference_and_metric_can_be_chosen(compare, unigram):
    ids = stored(unigram, "stereoset"), stored("unigram-english", "stereoset")
    page = compare(*ids, metric="lms", reference=ids[1])
    assert box(page, "Metric").value == "lms" and box(page, "Reference run").value == ids[1]
    assert "The page Stereotypes compares models over target terms" in words(page)
    box(page, "Grouped by").set_value("bias_type").run()
    assert "of 4 groups after correction" in words(page)
    box(page, "Metric").set_value("icat").run()
    assert "none of which is right or wrong" in words(page)


def test_more_than_two_runs_are_compared_pair_by_pair(compare, unigram):
    ids = [stored(unigram), stored("unigram-english"), stored(unigram, like="babylm-2025")]
    said = words(compare(*ids))
    assert "of 3 pairs of runs differ beyond chance" in said and "corrected for 2 comparisons (Holm)" in said
    assert "have the same scores, but they were scored or judged differently" in said


def test_confidential_texts_are_not_shown(compare, unigram):
    with open_tabs(CHANGED, "All items"):
        page = compare(stored(unigram, "ewok"), stored("unigram-english", "ewok"))
    assert "confidential" in words(page)
    shown = {column for tab in (CHANGED, "All items") for column in of_tab(page, tab).dataframe[0].value}
    assert shown and not {"Right", "Wrong", "Texts", "After"} & shown


def test_runs_on_other_items_are_marked_as_such(compare, unigram):
    whole, part = stored(unigram), stored("unigram-english", data=SAMPLES / "blimp" / "agreement_simple.jsonl")
    other = stored("unigram-english", data=SAMPLES / "blimp" / "determiner_noun.jsonl")
    assert "only the 20 pairs with the same id and the same texts" in words(compare(whole, part))
    said = words(compare(part, other))
    assert "two independent numbers with independent intervals, no paired test" in said


def test_what_cannot_be_compared_is_said_in_one_sentence(compare, unigram):
    one = stored(unigram)
    assert f"Did you mean '{one}'?" in words(compare(one, one[:-1] + "x"))
    assert "is named twice" in words(compare(one, one))
    assert "answer different questions" in words(compare(one, stored(unigram, "ewok")))

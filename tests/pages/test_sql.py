"""Asking with SQL: ready questions, one's own, links, refusals, cancelling."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from pairlens.settings import settings
from pairlens.store import Store
from tests.on_page import press, words
from tests.run_of_pairs import run_of_pairs

PAGE = "from pages.components.results.sql import show_sql\nshow_sql()"


@pytest.fixture
def run_id(home):
    """A finished run of pairs."""
    return run_of_pairs(Store())


def opened(**link: str | list[str]) -> AppTest:
    """The component on a page of its own, as a link opens it, once the answer is there."""
    page = AppTest.from_string(PAGE)
    for name, value in link.items():
        page.query_params[name] = value
    return answered(page.run())


def answered(page: AppTest) -> AppTest:
    while any(button.label == "Cancel" for button in page.button):
        time.sleep(0.1)
        page.run()
    assert not page.exception
    return page


def test_an_empty_store_says_what_to_do_and_still_answers(home):
    page = opened()
    assert "There are no results yet" in words(page) and "<code>tokens</code>" in words(page)
    page = answered(press(page, "Run query"))
    assert len(page.dataframe[0].value) == 0 and "pl-notice error" not in words(page)


def test_a_ready_question_is_chosen_asked_and_in_the_link(run_id):
    page = opened()
    page.selectbox(key="sql_question").set_value("hardest_items").run()
    assert "from decisions" in page.text_area[0].value
    next(field for field in page.text_input if field.label == "At most").set_value("3")
    page = answered(press(page, "Run query"))
    assert len(page.dataframe[0].value) == 3
    assert page.query_params["question"] in ("hardest_items", ["hardest_items"])
    assert set(page.query_params["parameters"]) == {f"run={run_id}", "most=3"}
    page.session_state["sql_answer"] = "Chart"
    assert page.run().get("vega_lite_chart"), "item_id against margin"


def test_a_link_asks_at_once_with_its_values(run_id):
    page = opened(question="frequent_tokens", parameters=["most=2", "run=nonsense"])
    assert len(page.dataframe[0].value) == 2
    assert [field.value for field in page.text_input if field.label == "At most"] == ["2"]
    page = opened(query="select $word as word, 1 as n", parameters=["word=<b>*x*</b>"])
    assert page.dataframe[0].value["word"].tolist() == ["<b>*x*</b>"]


def test_an_edited_question_keeps_its_fields(run_id):
    page = opened(question="frequent_tokens")
    page.text_area[0].set_value(page.text_area[0].value.replace("order by", "having token <> $not order by")).run()
    assert [field.label for field in page.text_input] == ["At most", "not"]
    assert any(field.label == "Scores of run" for field in page.selectbox)
    page = answered(press(page, "Run query"))
    assert len(page.dataframe) == 1 and "query" in page.query_params and "question" not in page.query_params


def test_what_is_refused_is_said_in_a_sentence(home):
    page = opened(query="select * from read_text('/etc/passwd')")
    assert "A query reads the tables only" in words(page) and not page.dataframe


def test_what_is_cut_off_is_said(home, monkeypatch):
    monkeypatch.setenv("PAIRLENS_SQL_ROWS", "5")
    settings.cache_clear()
    page = opened(query="select * from range(10)")
    assert "Truncated to the first 5 rows" in words(page) and len(page.dataframe[0].value) == 5


def test_cancel_ends_the_query(home):
    page = AppTest.from_string(PAGE)
    page.query_params["query"] = "select sleep_ms(60000)"
    page = press(page.run(), "Cancel")
    assert "The query was cancelled." in words(answered(page))


def test_what_was_asked_before_can_be_asked_again(run_id):
    page = opened(query="select 1 as first")
    page.text_area[0].set_value("select 2 as second").run()
    page = answered(press(page, "Run query"))
    assert list(page.dataframe[0].value) == ["second"]
    page = answered(press(page, "select 1 as first"))
    assert list(page.dataframe[0].value) == ["first"] and page.text_area[0].value == "select 1 as first"


def test_where_others_can_ask_it_is_off_unless_switched_on(home, monkeypatch):
    monkeypatch.setattr("pages.components.results.sql.is_shared", lambda: True)
    page = opened()
    assert "PAIRLENS_SQL=on would switch them on" in words(page) and not page.text_area
    monkeypatch.setenv("PAIRLENS_SQL", "on")
    settings.cache_clear()
    assert opened().text_area

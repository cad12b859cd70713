"""The page of benchmarks with items of which no candidate is right: predictions about regions."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core import api
from core.settings import ROOT
from core.store import Store
from pages.components.shared import frame

SAMPLE = ROOT / "data" / "samples" / "syntaxgym" / "object_or_subject.json"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page, opened by a link to a run of our sample."""
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)
    api.benchmark(SAMPLE, "english-small", task="syntaxgym")
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    opened.switch_page("pages/zero_shot.py")
    opened.query_params["run"] = Store().runs()["run_id"][0]
    return opened.run()


def test_a_run_of_suites_shows_predictions_and_what_their_regions_cost(page: AppTest) -> None:
    assert not page.exception
    said = "\n".join(element.proto.body for element in page.get("html"))
    assert 'item holds for <strong title="english-small">english-small</strong> in <strong>' in said
    assert [one.label for one in page.expander if "more surprising in open" in one.label], "in words"
    assert "10 of 10 items, the worst decision first (First prediction)." in said
    items = page.dataframe[0].value
    assert items.columns.tolist() == ["item", "formula", "surprisals", "margin", "UID"]
    assert len(items) == 10 and items["margin"].is_monotonic_increasing
    assert items["surprisals"].str.count(" bits").eq(4).all()


def test_the_other_tabs_of_such_a_run_open(page: AppTest) -> None:
    for tab in page.tabs:
        page.session_state["tab_zero_shot"] = tab.label
        assert not page.run().exception, tab.label

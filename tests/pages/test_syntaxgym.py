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
def page(monkeypatch):
    """The page, opened by a link to a run of our sample."""
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)
    api.benchmark(SAMPLE, "english-small", task="syntaxgym")
    opened = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    opened.switch_page("pages/zero_shot.py")
    opened.query_params["run"] = Store().runs()["run_id"][0]
    return opened.run()


def test_a_run_of_suites_shows_predictions_and_what_their_regions_cost(page):
    assert not page.exception
    said = "\n".join(element.proto.body for element in page.get("html")).replace("\u00a0", " ")
    assert "The first prediction of an item holds for english-small in 90.0 % of our 10 sample items." in said
    assert "The worst decision first." in said
    items = page.dataframe[0].value
    assert items.columns.tolist() == ["Run", "Item", "Prediction", "Surprisals", "Margin (bits)", "Paradigm"]
    assert len(items) == 10 and items["Margin (bits)"].is_monotonic_increasing
    assert items["Prediction"].str.contains("more surprising in open").all(), "in words"
    assert items["Surprisals"].str.count(" bits").eq(4).all()


def test_the_other_tabs_of_such_a_run_open(page):
    for tab in page.tabs:
        page.session_state["tab_zero_shot"] = tab.label
        assert not page.run().exception, tab.label

"""The tab Languages of the page Benchmarks."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.runs.zero_shot import Benchmark, sample
from core.scoring.recipe import recipe_of
from core.settings import ROOT
from core.store import Store
from core.tasks import TASKS

pytestmark = pytest.mark.model


def opened() -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages/zero_shot.py"), default_timeout=120)
    page.query_params["task"], page.query_params["benchmark_view"] = "multiblimp", "Languages"
    page.run()
    assert not page.exception
    return page


def test_runs_are_shown_by_language_and_filtered(home):
    for _ in Benchmark(TASKS["multiblimp"], sample(TASKS["multiblimp"])).run(recipe_of("english-small"), Store()):
        pass
    page = opened()
    table = next(one.value for one in page.dataframe if "tokens_per_word" in one.value)
    assert len(table) == 12 and table["name"].iloc[0] == "English", "what is read comes first"
    page.toggle(key="language_read").set_value(True).run()
    table = next(one.value for one in page.dataframe if "tokens_per_word" in one.value)
    assert table["name"].tolist() == ["English"]
    page.toggle(key="language_read").set_value(False)
    page.selectbox(key="language_phenomenon").select("each phenomenon").run()
    table = next(one.value for one in page.dataframe if "tokens_per_word" in one.value)
    assert len(table) == 24 and not page.exception

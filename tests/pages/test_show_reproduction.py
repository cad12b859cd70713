"""A run to take away: the report, what the programs are for, which there are not and why."""

import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pairlens.evaluation.evaluate import evaluate
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.on_page import words


@pytest.fixture
def shown(unigram):
    """The component in its tab: `shown("blimp")` for a run of a unigram model, `shown("")` for an unknown run."""

    def show(task: str) -> AppTest:
        run_id = "nothing"
        if task:
            *_, last = evaluate(TASKS[task], ROOT / "data" / "samples" / task, pairlens.recipe(unigram), Store())
            run_id = last.run_id

        def page(run_id: str) -> None:
            from pages.components.results.stored_run import show_reproduction
            from pages.components.shared.tables import show_tabs

            show_tabs({"Report and code": lambda: show_reproduction(run_id)})

        return AppTest.from_function(page, args=(run_id,), default_timeout=30).run()

    return show


def downloads(page: AppTest) -> list[str]:
    return [button.proto.label for button in page.get("download_button")]


def test_what_can_be_made_is_explained_and_the_rest_too(shown):
    page = shown("blimp")
    assert downloads(page) == ["Report"]
    assert "minicons: not available for this run" in words(page)
    assert "lm-evaluation-harness: not available for this run" in words(page)


def test_a_run_that_decides_nothing_has_no_r_program(shown):
    assert "decided item by item" in words(shown("aoa"))


def test_an_unknown_run_is_said(shown):
    assert "There is no run" in words(shown(""))

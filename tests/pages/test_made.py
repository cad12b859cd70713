"""How a stored run's numbers were made, followed down on the page Results; and the control in the footers."""

import json
from itertools import islice

import pytest
from streamlit.testing.v1 import AppTest

import pairlens
from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.requests import plan
from pairlens.evaluation.zero_shot import sample
from pairlens.store import Store
from pairlens.tasks import TASKS
from tests.on_page import press, words


@pytest.fixture
def run_id(unigram):
    items = islice(TASKS["blimp"].read(sample(TASKS["blimp"])), 6)
    *_, last = run(plan(TASKS["blimp"], items, pairlens.recipe(unigram)), Context(Store()))
    return last.run_id


def show(run_id: str) -> AppTest:
    """The component by itself."""

    def page(run_id: str) -> None:
        from pages.components.results.stored_run import show_made
        from pages.components.shared import notices

        with notices.explained_errors():
            show_made(run_id)

    return AppTest.from_function(page, args=(run_id,))


def test_a_number_is_followed_down_to_its_tokens(run_id):
    page = show(run_id).run()
    said = words(page)
    assert "share of items in which the right candidate has the highest value" in said
    assert "6 of 6 pairs count" in said and "nats" in said
    tokens = [frame.value for frame in page.dataframe if "logprob" in frame.value]
    assert len(tokens) == 2
    code = [block.value for block in page.code]
    made = next(json.loads(text) for text in code if text.startswith("{"))
    assert made["number"]["metric"] == "accuracy" and "@software{pairlens" in "".join(code)
    assert any(text.startswith("Log-probabilities were computed with tiny-unigram") for text in code)
    chosen = page.selectbox(key="made_group_accuracy")
    assert chosen.options[0] == "all items, mean of group means"
    page = chosen.set_value("field=morphology").run()
    assert "6 of 6 pairs count" in words(page)


def test_the_control_in_a_footer_tells_it_when_it_is_pressed(visit_page, run_id):
    page = visit_page("zero_shot", run=run_id)
    assert not page.exception and not any(block.value.startswith("@software") for block in page.code)
    page = press(page, "How this number was made")
    assert not page.exception and any(block.value.startswith("@software") for block in page.code)

"""The page of stereotypes in a real browser: from a term in the funnel to a pair in Compare; files made elsewhere."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from core.files.stereoset.reading import read_examples
from core.runs.zero_shot import sample
from core.tasks import TASKS
from pages.components.stereoset.choose import FILES
from tests.browser.visitor import Visitor

NOTE = "many of them hurtful"
SAMPLE = sample(TASKS["stereoset"])


def link(**params: str) -> str:
    return "/stereoset?" + urlencode({"model_name": "english-small", **params})


def open_tab(visitor: Visitor, name: str) -> None:
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if name in one.text), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


@pytest.fixture
def predictions(tmp_path):
    """Scores by which every stereotype wins, but for one term, of which every anti-stereotype does."""
    examples = read_examples(SAMPLE)
    odd = examples.intrasentence[0].term
    document: dict[str, list[dict[str, object]]] = {kind: [] for kind in examples.by_kind}
    for example in examples:
        for candidate in example.candidates:
            score = {"stereotype": 0.1 if example.term == odd else 0.9, "anti-stereotype": 0.5}
            entry = {"id": candidate.id, "score": score.get(candidate.gold_label, 0.0001)}
            document[example.kind].append(entry)
    path = tmp_path / "elsewhere.json"
    path.write_text(json.dumps(document))
    return path


def test_a_term_of_the_funnel_leads_to_its_triples_and_to_compare(visitor, predictions):
    visitor.open(link(scores_of=FILES))
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(predictions))
    assert visitor.reads("Prefers the stereotype to its opposite")
    visitor.settle()
    term = read_examples(SAMPLE).intrasentence[0].term
    marks = f'[data-testid="stVegaLiteChart"] path[aria-label*="Term: {term};"]'
    mark = visitor.until(lambda: visitor.all(marks), reason="the term has no mark")[0]
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", mark)
    ActionChains(visitor.driver).move_to_element(mark).click().perform()
    assert visitor.reads("6 triples. Only")
    visitor.settle()
    visitor.press("Open in Compare")
    assert visitor.reads("Which sentence does the model prefer")
    assert visitor.errors() == []


def test_the_content_note_stays_closed(visitor):
    visitor.open(link())
    assert visitor.reads(NOTE)
    visitor.press("Close")
    visitor.until(lambda: NOTE not in visitor.text(), reason="the note did not go")
    visitor.press("Compare")
    visitor.reads("Which sentence does the model prefer")
    visitor.settle()
    visitor.press("Stereotypes")
    visitor.reads("Does the model prefer the stereotype")
    visitor.settle()
    assert NOTE not in visitor.text()
    assert visitor.strangers() == set()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone(visitor, theme):
    visitor.theme(theme)
    visitor.width(390, 844)
    visitor.open(link())
    for tab in ("Scores", "Triples", "Definitions", "Beside"):
        open_tab(visitor, tab)
        assert visitor.overflow() <= 0, tab
    assert visitor.errors() == []


def test_a_long_name_fits_a_phone(visitor, predictions):
    named = predictions.rename(predictions.with_name("bert-large-cased_BertNextSentence_BertLM.json"))
    visitor.width(390, 844)
    visitor.open(link(scores_of=FILES))
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(named))
    assert visitor.reads("Prefers the stereotype to its opposite")
    visitor.settle()
    assert visitor.overflow() <= 0

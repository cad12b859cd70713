"""The page of stereotypes in a real browser: from a term in the funnel to a pair in Compare; files made elsewhere."""

from __future__ import annotations

import json

import pytest

from pairlens.evaluation.zero_shot import sample
from pairlens.files.stereoset.reading import read_examples
from pairlens.tasks import TASKS
from tests.browser.visitor import Visitor

NOTE = "hurtful stereotypes"
PAGE = "/stereoset?model_name=english-small"


def predictions(path, examples, odd):
    """Scores by which every stereotype wins, but for one term, of which every anti-stereotype does."""
    document: dict[str, list[dict[str, object]]] = {kind: [] for kind in examples.by_kind}
    for example in examples:
        for candidate in example.candidates:
            score = {"stereotype": 0.1 if example.term == odd else 0.9, "anti-stereotype": 0.5}
            entry = {"id": candidate.id, "score": score.get(candidate.gold_label, 0.0001)}
            document[example.kind].append(entry)
    path.write_text(json.dumps(document))
    return path


def test_a_term_of_the_funnel_leads_to_its_triples_and_to_compare(visitor, tmp_path):
    """From a file whose name is too long for a phone."""
    examples = read_examples(sample(TASKS["stereoset"]))
    term = examples.intrasentence[0].term
    visitor.open("/stereoset?model_name=")
    visitor.press("Predictions from a file")
    visitor.give(predictions(tmp_path / "bert-large-cased_BertNextSentence_BertLM.json", examples, term))
    assert visitor.reads("Prefers the stereotype to its opposite")
    visitor.phone()
    assert visitor.overflow() <= 0
    visitor.width(1280)
    visitor.settle()
    visitor.tab("Terms")
    visitor.point(f'path[aria-label*="Term: {term};"]', "6 triples. Only")
    visitor.press("Open in Compare")
    assert visitor.reads("Which sentence does the model prefer")
    assert visitor.errors() == []


@pytest.mark.soak
def test_the_content_note_stays_closed_and_every_tab_fits_a_phone(visitor: Visitor):
    visitor.open(PAGE)
    assert visitor.reads(NOTE)
    visitor.press("Close")
    visitor.until(lambda: NOTE not in visitor.text(), reason="the note did not go")
    visitor.go("Models")
    visitor.go("Stereotypes")
    visitor.reads("Does the model prefer the stereotype")
    assert NOTE not in visitor.text()
    visitor.phone()
    for tab, theme in (("Scores", "light"), ("Beside", "light"), ("Triples", "dark"), ("Definitions", "dark")):
        visitor.theme(theme)
        visitor.tab(tab)
        assert visitor.overflow() <= 0, tab
    assert visitor.errors() == [] and visitor.strangers() == set()

"""Predict first, and a lesson played to its end, in a real browser: Back and a reload lose nothing."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

from core.studies.lesson import shipped
from core.studies.lesson.lesson import measured
from tests.browser.conftest import TINY

PAIR = {"a": "The old mill near the ponds was empty.", "b": "The old mill near the ponds were empty."}
FIRST = 9
"""The step that is played first, of eleven."""


def play(visitor, step):
    """Choose the first answer, or guess, then look."""
    if choices := step.pair or step.forms:
        visitor.press(choices[0])
    else:
        visitor.type("Which word comes next?", "of")
    visitor.until(lambda: visitor.driver.current_url.count("mine=") > visitor.driver.current_url.count("seen="))
    visitor.settle()
    assert step.notice not in visitor.text()
    visitor.press("Show the answer")
    assert visitor.reads("You ")
    assert visitor.reads(step.notice)
    visitor.settle()


def test_predict_first_is_chosen_revealed_kept_and_shared(visitor):
    visitor.open("/?" + urlencode({**PAIR, "model": TINY}))
    visitor.headline()
    labels = '[data-testid="stCheckbox"] label, [data-testid="stToggle"] label'
    visitor.click(lambda: next((e for e in visitor.all(labels) if "Predict first" in e.text), None), "no switch")
    assert visitor.reads("Choose before you look")
    visitor.settle()
    assert not visitor.all(".pl-headline") and visitor.linked("reveal=0")
    visitor.press(PAIR["b"])
    assert visitor.linked("mine=")
    visitor.settle()
    visitor.press("Show the answer")
    assert visitor.reads("You chose B")
    visitor.go("Models")
    visitor.go("Compare")
    assert visitor.reads("You chose B")
    visitor.reload()
    assert visitor.reads("You chose B")
    visitor.press("Share")
    link = '[data-testid="stPopoverBody"] [data-testid="stCode"]'
    shared = visitor.until(lambda: visitor.all(link), reason="no link")[0].text
    assert "reveal=0" in shared and "seen" not in shared
    visitor.driver.get(shared)
    assert visitor.reads("Choose before you look")
    assert visitor.all(".pl-headline") == [] and visitor.errors() == []
    visitor.settle()
    visitor.press(PAIR["b"])
    assert visitor.linked("mine=")
    visitor.settle()
    visitor.press("Show the answer")
    assert visitor.reads("You chose B")
    visitor.settle()
    visitor.driver.back()
    assert visitor.reads("Choose before you look")
    visitor.settle()
    address = parse_qs(urlsplit(visitor.driver.current_url).query)
    assert not visitor.all(".pl-headline") and "mine" in address, "Back takes back the reveal only"


def test_a_lesson_is_played_to_its_end(visitor):
    lesson = shipped("agreement")
    visitor.open(f"/lesson?lesson=agreement&step={FIRST}")
    for step in lesson.steps[FIRST - 1 :]:
        assert visitor.reads(step.question)
        play(visitor, step)
        visitor.press("Next step")
    right = sum(each.right is True for each in measured("agreement")["english-small"])
    assert visitor.reads(f"english-small agrees with speakers of English in {right} of 11 steps.")
    visitor.settle()
    assert visitor.errors() == [] and visitor.strangers() == set()
    visitor.reload()
    assert visitor.reads(f"in {right} of 11 steps.") and visitor.reads("You agree with them in")
    visitor.driver.back()
    assert visitor.reads(lesson.steps[-1].question) and visitor.reads(lesson.steps[-1].notice)


def test_a_lesson_is_made_from_a_pair_and_opened_by_its_link(visitor):
    visitor.open("/?" + urlencode({**PAIR, "model": TINY}))
    visitor.headline()
    visitor.press("Add to a lesson")
    visitor.press("Add this pair")
    visitor.type("Question", "Which one?")
    visitor.settle()
    visitor.press("Open it")
    assert visitor.reads("Which one?")
    visitor.settle()
    assert visitor.linked("lesson_file=")
    link = visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(link)
    assert visitor.reads("Which one?") and visitor.reads("My lesson")
    assert visitor.errors() == []

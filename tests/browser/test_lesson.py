"""Predict first, and a lesson played to its end, in a real browser: Back and a reload lose nothing."""

from __future__ import annotations

from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from pairlens.studies.lesson import Step, shipped
from pairlens.studies.lesson.lesson import measured
from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

PAIR = {"a": "The old mill near the ponds was empty.", "b": "The old mill near the ponds were empty."}


def in_address(visitor: Visitor) -> dict[str, list[str]]:
    return parse_qs(urlsplit(visitor.driver.current_url).query)


def switch(visitor: Visitor) -> None:
    """Turn Predict first on or off."""
    label = '[data-testid="stCheckbox"] label, [data-testid="stToggle"] label'
    visitor.click(lambda: next((e for e in visitor.all(label) if "Predict first" in e.text), None), "no switch")


def play(visitor: Visitor, step: Step) -> None:
    """Choose the first answer, or guess, then look and go on."""
    if step.pair:
        visitor.press(step.pair[0])
    elif step.forms:
        visitor.press(step.forms[0])
    else:
        visitor.type("Which word comes next?", "of")
    visitor.until(lambda: visitor.driver.current_url.count("mine=") > visitor.driver.current_url.count("seen="))
    visitor.settle()
    assert step.notice not in visitor.text()
    visitor.press("Show the answer")
    assert visitor.reads("You ")
    assert visitor.reads(step.notice)
    visitor.settle()


def test_predict_first_is_chosen_revealed_and_kept_and_a_shared_link_asks_again(visitor, axe):
    visitor.open("/?" + urlencode({**PAIR, "model": TINY}))
    visitor.headline()
    switch(visitor)
    assert visitor.reads("Choose before you look")
    visitor.settle()
    assert not visitor.all(".pl-headline") and visitor.linked("reveal=0")
    assert visitor.button("Show the answer") and visitor.violations(axe) == [] and visitor.overflow() <= 0
    visitor.press(PAIR["b"])
    assert visitor.linked("mine=")
    visitor.settle()
    visitor.press("Show the answer")
    assert visitor.reads("You chose B")
    visitor.settle()
    visitor.driver.back()
    assert visitor.reads("Choose before you look")
    visitor.settle()
    assert not visitor.all(".pl-headline") and "mine" in in_address(visitor), "Back takes back the reveal only"
    visitor.press("Show the answer")
    assert visitor.reads("You chose B")
    visitor.settle()
    visitor.reload()
    assert visitor.reads("You chose B")
    visitor.go("Models")
    visitor.go("Compare")
    assert visitor.reads("You chose B")
    visitor.press("Share")
    link = '[data-testid="stPopoverBody"] [data-testid="stCode"]'
    shared = visitor.until(lambda: visitor.all(link), reason="no link")[0].text
    assert "reveal=0" in shared and "seen" not in shared
    visitor.driver.get(shared)
    assert visitor.reads("Choose before you look")
    assert visitor.all(".pl-headline") == [] and visitor.errors() == []


def test_a_lesson_is_played_to_its_end(visitor, axe):
    """From a step in the middle, over some that are left out; axe-core finds nothing on a phone at night either."""
    lesson, played = shipped("polarity"), (6, 12, 14)
    assert lesson.steps[5].forms and lesson.steps[11].pair and lesson.steps[13].prefix, "steps of all kinds"
    visitor.theme("dark")
    visitor.width(390, 844)
    visitor.open("/lesson?lesson=polarity&step=6")
    assert visitor.button("Show the answer")
    assert visitor.violations(axe) == [] and visitor.overflow() <= 0
    visitor.theme("light")
    visitor.width(1280)
    visitor.settle()
    for number in played:
        step = lesson.steps[number - 1]
        if step.question not in visitor.text():
            visitor.press(str(number))
        assert visitor.reads(step.question)
        play(visitor, step)
        visitor.press("Next step")
    told = [one for number, one in enumerate(measured("polarity")["english-small"], start=1) if number in played]
    said = f"in {sum(one.right is True for one in told)} of {sum(one.right is not None for one in told)} steps."
    assert visitor.reads(f"english-small agrees with speakers of English {said}")
    visitor.settle()
    assert visitor.errors() == [] and visitor.strangers() == set()
    visitor.reload()
    assert visitor.reads(said) and visitor.reads("You agree with them in")
    visitor.driver.back()
    assert visitor.reads(lesson.steps[-1].question) and visitor.reads(lesson.steps[-1].notice)


@pytest.mark.soak
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

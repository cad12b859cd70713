"""The first page in a real browser: typed sentences are answered, and a link brings the answer back."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

GOOD, BAD = "The old mill near the ponds was empty.", "The old mill near the ponds were empty."


def type_pair(visitor: Visitor) -> None:
    """Type both sentences and wait until the page shows the words in which they differ."""
    visitor.type("A", GOOD)
    visitor.type("B", BAD)
    visitor.until(lambda: any("were" in strip.text for strip in visitor.all(".pl-strip")), reason="no answer to B")
    visitor.settle()


def test_typed_sentences_are_answered(visitor):
    visitor.open(f"/?model={TINY}")
    before = visitor.headline()
    type_pair(visitor)
    assert "bits" in visitor.headline()
    assert visitor.headline() != before
    assert visitor.errors() == []


def test_the_address_brings_the_answer_back(visitor):
    visitor.open(f"/?model={TINY}")
    type_pair(visitor)
    assert visitor.linked("ponds+were")
    answer, address = visitor.headline(), visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(address)
    visitor.settle()
    assert visitor.headline() == answer


def test_the_members_of_a_pair_swap_with_their_answer(visitor):
    one, other = {"A": "B", "B": "A"}, []
    for first, second in ((GOOD, BAD), (BAD, GOOD)):
        visitor.open("/?" + urlencode({"a": first, "b": second, "model": TINY}))
        other.append(visitor.headline())
    sides = [next(side for side in "AB" if f"Prefers {side}" in headline) for headline in other]
    assert one[sides[0]] == sides[1]


def test_markup_in_a_sentence_is_shown_as_typed(visitor):
    hostile = "<img src=x onerror=alert(1)> **bold** $x$"
    visitor.open("/?" + urlencode({"a": hostile, "b": "The cat sleeps.", "model": TINY}))
    visitor.headline()
    assert visitor.all("img[src='x']") == []
    assert "**bold**" in visitor.text()


def test_back_undoes_one_act_whole(visitor):
    """An example changes two boxes, another language the model too: Back never leaves half of it."""
    visitor.open("/")
    for example, words in (("A garden path", "servant"), ("French", "chevaux")):
        visitor.press(example)
        assert visitor.reads(words)
        visitor.settle()
    visitor.driver.back()
    assert visitor.reads("servant")
    visitor.settle()
    boxes = [box.get_attribute("value") for box in visitor.all("textarea")]
    assert all("the house was dark" in str(box) for box in boxes), boxes
    visitor.driver.back()
    assert visitor.reads("horses")

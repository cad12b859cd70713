"""The first page in a real browser: typed sentences are answered, and a link brings the answer back."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY

GOOD, BAD = "The old mill near the ponds was empty.", "The old mill near the ponds were empty."


def test_typed_sentences_are_answered_and_their_address_brings_the_answer_back(visitor):
    visitor.open(f"/?model={TINY}")
    before = visitor.headline()
    visitor.type("A", GOOD)
    visitor.type("B", BAD)
    visitor.until(lambda: any("were" in strip.text for strip in visitor.all(".pl-strip")), reason="no answer to B")
    visitor.settle()
    answer = visitor.headline()
    assert "bits" in answer and answer != before
    assert visitor.linked("ponds+were") and visitor.errors() == []
    address = visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(address)
    visitor.settle()
    assert visitor.headline() == answer
    visitor.open("/?" + urlencode({"a": BAD, "b": GOOD, "model": TINY}))
    other = visitor.headline()
    assert ("Prefers A" in answer, "Prefers B" in answer) == ("Prefers B" in other, "Prefers A" in other)
    assert "Prefers" in answer


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

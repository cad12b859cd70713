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
    assert "Prefers" in answer


def test_markup_in_a_sentence_is_shown_as_typed(visitor):
    hostile = "<img src=x onerror=alert(1)> **bold** $x$"
    visitor.open("/?" + urlencode({"a": hostile, "b": "The cat sleeps.", "model": TINY}))
    visitor.headline()
    assert visitor.all("img[src='x']") == []
    assert "**bold**" in visitor.text()


def test_back_undoes_one_act_whole(visitor):
    """An example changes two boxes, another language the model too: Back never leaves half of it.

    It is taken below the answer, and the next answer is in sight.
    """
    scrolled = "return document.querySelector('[data-testid=\"stMain\"]').scrollTop"
    visitor.open("/")
    for example, words in (("A garden path", "servant"), ("French", "chevaux")):
        visitor.press(example)
        assert visitor.reads(words)
        visitor.settle()
        assert visitor.driver.execute_script(scrolled) == 0
    visitor.driver.back()
    assert visitor.reads("servant")
    visitor.settle()
    boxes = [box.get_attribute("value") for box in visitor.all("textarea")]
    assert all("the house was dark" in str(box) for box in boxes), boxes
    visitor.driver.back()
    assert visitor.reads("horses")


def test_a_figure_is_named_and_taken_away(visitor, tmp_path):
    """On a phone; and a page is left while the menu is open."""
    downloads = {"behavior": "allow", "downloadPath": str(tmp_path)}
    visitor.driver.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
    visitor.width(390, 844)
    visitor.open("/")
    assert not [button for button in visitor.all('[data-testid="stDownloadButton"]') if button.is_displayed()]
    visitor.press("Download")
    visitor.click(lambda: next(iter(visitor.all('[data-testid="stPopoverBody"] summary')), None), "no look to choose")
    visitor.type("Title", "Agreement in one pair")
    visitor.settle()

    def drawn() -> bool:
        """Once the title has arrived."""
        visitor.press("SVG")
        drawings = [path.read_text("utf-8") for path in tmp_path.glob("compare-*.svg")]
        return any("Agreement in one pair" in text and 'width="8.5cm"' in text for text in drawings)

    visitor.until(drawn, reason="the title is not drawn")
    visitor.press("PDF")
    visitor.until(lambda: [*tmp_path.glob("compare-*.pdf")], reason="no PDF")
    assert visitor.overflow() <= 0
    visitor.width(1280)
    visitor.settle()
    assert visitor.all('[data-testid="stPopoverBody"]')
    visitor.go("Results")
    assert visitor.all("h1")[0].text == "Results"

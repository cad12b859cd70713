"""What comes next, in a real browser: a prefix grows by a click, a place is looked at, a link brings it back."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

PREFIX = "The old mill near the"


def prefix_of(visitor: Visitor) -> str:
    return str(visitor.all("textarea")[0].get_property("value"))


def test_bars_and_places_are_clicked_and_the_address_brings_all_back(visitor):
    visitor.open("/next_word?" + urlencode({"reader": TINY, "prefix": PREFIX}))
    before = visitor.headline()
    assert before.startswith("Expects “")
    charts = [chart.get_attribute("aria-label") or "" for chart in visitor.all('[data-testid="stVegaLiteChart"]')]
    for words in ("Likeliest word: ", "Entropy in bits after each token: "):
        assert any(words in text for text in charts), "those who do not see bars are not told"
    bars = [path for path in visitor.all('path[aria-roledescription="bar"]') if path.is_displayed()]
    assert len(bars) == 10
    visitor.click(lambda: bars[0], "no bar")
    visitor.until(lambda: prefix_of(visitor) != PREFIX, reason="the prefix has not grown")
    visitor.settle()
    assert prefix_of(visitor).startswith(PREFIX)
    visitor.press("Take back")
    visitor.until(lambda: prefix_of(visitor) == PREFIX, reason="nothing was taken back")
    visitor.settle()
    assert not visitor.all(".pl-form")
    visitor.point('path[aria-roledescription="point"] ~ path[aria-roledescription="point"]', "After ")
    assert visitor.all(".pl-form")[0].text in PREFIX
    visitor.type("Forms to compare", "mill, mills")
    assert visitor.reads("mill is the beginning of mills")
    visitor.settle()
    words, address = visitor.all(".pl-second")[0].text, visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(address)
    visitor.settle()
    assert visitor.all(".pl-second")[0].text == words
    visitor.type("Beginning of a text", "The ponds")
    visitor.until(lambda: visitor.headline() != before, reason="no answer to the new prefix")
    visitor.settle()
    assert visitor.errors() == []

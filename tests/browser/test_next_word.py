"""What comes next, in a real browser: a prefix grows by a click, a place is looked at, a link brings it back."""

from __future__ import annotations

from urllib.parse import urlencode

from selenium.webdriver import ActionChains

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

PREFIX = "The old mill near the"


def open_page(visitor: Visitor, **parameters: str) -> None:
    visitor.open("/next_word?" + urlencode({"reader": TINY, "prefix": PREFIX, **parameters}))


def prefix_of(visitor: Visitor) -> str:
    return str(visitor.all("textarea")[0].get_property("value"))


def test_a_typed_prefix_is_answered(visitor):
    open_page(visitor)
    before = visitor.headline()
    assert before.startswith("Expects “")
    visitor.type("Beginning of a text", "The ponds")
    visitor.until(lambda: visitor.headline() != before, reason="no answer to the new prefix")
    visitor.settle()
    assert visitor.errors() == []


def test_a_click_on_a_bar_goes_on_with_the_prefix_and_can_be_taken_back(visitor):
    open_page(visitor)
    bars = [path for path in visitor.all('path[aria-roledescription="bar"]') if path.is_displayed()]
    assert len(bars) == 20
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", bars[0])
    bars[0].click()
    visitor.until(lambda: prefix_of(visitor) != PREFIX, reason="the prefix has not grown")
    visitor.settle()
    assert prefix_of(visitor).startswith(PREFIX)
    visitor.press("Take back")
    visitor.until(lambda: prefix_of(visitor) == PREFIX, reason="nothing was taken back")


def test_a_click_on_a_place_shows_what_was_expected_there(visitor):
    open_page(visitor)
    assert not visitor.all(".pl-form")
    places = visitor.all('path[aria-roledescription="point"]')
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", places[1])
    ActionChains(visitor.driver).move_to_element(places[1]).click().perform()
    visitor.until(lambda: visitor.all(".pl-form"), reason="no other place is shown")
    visitor.settle()
    assert visitor.all(".pl-form")[0].text in PREFIX


def test_the_address_brings_prefix_and_forms_back(visitor):
    open_page(visitor)
    visitor.type("Forms to compare", "mill, mills")
    assert visitor.reads("mill is the beginning of mills")
    visitor.settle()
    said, address = visitor.all(".pl-second")[0].text, visitor.driver.current_url
    visitor.driver.get("about:blank")
    visitor.driver.get(address)
    visitor.settle()
    assert visitor.all(".pl-second")[0].text == said


def test_bars_are_told_to_those_who_do_not_see_them(visitor):
    open_page(visitor)
    told = [chart.get_attribute("aria-label") or "" for chart in visitor.all('[data-testid="stVegaLiteChart"]')]
    assert any("Likeliest word: " in text for text in told)
    assert any("Entropy in bits after each token: " in text for text in told)

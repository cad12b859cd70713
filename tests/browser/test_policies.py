"""A run under all policies in a real browser: looked at, scored by one press, looked up."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

SCORE = "Score them"


def open_tab(visitor: Visitor, name: str) -> None:
    """Press a tab of a result."""
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if name in one.text), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


def test_missing_policies_are_scored_by_one_press(visitor: Visitor) -> None:
    visitor.open("/zero_shot?" + urlencode({"model_name": TINY}))
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    visitor.reads("prefers the right one", 120)
    visitor.settle()
    open_tab(visitor, "Policies")
    visitor.reads("decisions hold under all", 60)
    press = visitor.until(lambda: [[one for one in visitor.all("button") if one.text.startswith(SCORE)]])[0]
    if press:
        assert "are not scored yet: about" in visitor.text()
        visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", press[0])
        press[0].click()
    visitor.until(lambda: "not scored yet" not in visitor.text() and SCORE not in visitor.text(), 180)
    visitor.settle()
    assert "decisions hold under all" in visitor.text() and visitor.errors() == []
    visitor.width(390)
    visitor.settle()
    wide = visitor.driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= 390

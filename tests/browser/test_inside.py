"""The tab Inside of the first page in a real browser: a cell is clicked, and what was asked is still there later."""

from __future__ import annotations

from urllib.parse import urlencode

from selenium.webdriver import ActionChains

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

PAIR = {"a": "The keys to the cabinet are here.", "b": "The keys to the cabinet is here.", "model": TINY}


def opened(visitor: Visitor) -> None:
    """The pair, and then the tab."""
    visitor.open("/?" + urlencode(PAIR))
    open_tab(visitor, "Inside")
    assert visitor.reads("with the patch")
    visitor.settle()


def open_tab(visitor: Visitor, name: str) -> None:
    """Click a tab."""
    tab = next(one for one in visitor.all('[role="tab"]') if one.text == name)
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()


def click_cell(visitor: Visitor, name: str) -> None:
    """Click the last cell of this name: that of the map whose title is last."""
    cells = f'[data-testid="stVegaLiteChart"] path[aria-label^="{name}"]'
    cell = visitor.until(lambda: visitor.all(cells), reason=f"no cell {name}")[0]
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    ActionChains(visitor.driver).move_to_element(cell).click().perform()


def test_a_clicked_cell_says_what_comes_next_and_a_reload_keeps_it(visitor):
    opened(visitor)
    visitor.type("Second beginning, one place changed", "The cats to the cabinet")
    assert visitor.reads("put into “The cats to the cabinet”")
    visitor.settle()
    click_cell(visitor, "layer 2, <s>")
    assert visitor.linked("cell=first.2.0")
    visitor.settle()
    before = visitor.text()
    assert "0 % of the difference. A random direction" in before and "without the patch" in before
    assert "“The cats to the cabinet”" in before and visitor.errors() == []
    visitor.reload()
    assert visitor.reads("without the patch")
    visitor.settle()
    assert visitor.text() == before and visitor.errors() == []
    open_tab(visitor, "Words")
    visitor.until(lambda: visitor.all('[data-testid="stDataFrame"]'))
    open_tab(visitor, "Inside")
    assert visitor.reads("without the patch")
    visitor.settle()
    assert visitor.text() == before


def test_it_fits_a_phone_and_axe_finds_nothing(visitor, axe):
    opened(visitor)
    assert visitor.violations(axe) == []
    visitor.theme("dark")
    visitor.width(390)
    assert visitor.violations(axe) == [] and visitor.overflow() <= 0

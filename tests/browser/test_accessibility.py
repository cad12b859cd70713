"""Who sees little or uses no mouse: axe-core finds nothing on any page, and the keyboard gets everywhere, visibly."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser.screens import addresses
from tests.browser.visitor import Visitor

PAGES = addresses()
RUN = """
const done = arguments[0];
axe.run(document).then(found => done(found.violations.map(
    one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.html.slice(0, 200)).join(' and ')}`)));
"""
FOCUSED = """
const ringed = one => getComputedStyle(one).outlineStyle !== 'none';
const focused = document.activeElement;
let one = focused;
for (let up = 0; up < 5 && one && !ringed(one); up += 1) one = one.parentElement;
return [focused.getAttribute('aria-label') || focused.innerText, !!one && ringed(one)];
"""


def violations(visitor: Visitor, axe: str) -> list[str]:
    """What axe-core finds on the page as it is."""
    visitor.settle()
    visitor.driver.execute_script(axe)
    found: list[str] = visitor.driver.execute_async_script(RUN)
    return found


def tab(visitor: Visitor) -> tuple[str, bool]:
    """Press the tabulator: the name of what has the focus, and whether a ring says so."""
    ActionChains(visitor.driver).send_keys(Keys.TAB).perform()
    name, ringed = visitor.driver.execute_script(FOCUSED)
    return str(name), bool(ringed)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(visitor, axe, name):
    """By day on a wide screen, at night on a phone."""
    visitor.open(PAGES[name])
    assert violations(visitor, axe) == []
    visitor.theme("dark")
    visitor.width(390)
    assert violations(visitor, axe) == []


@pytest.mark.parametrize("path", ["/?reveal=0", "/next_word?reveal=0", "/minimal_pairs?reveal=0", "/lesson?step=3"])
def test_axe_finds_nothing_where_one_predicts(visitor, axe, path):
    visitor.open(path)
    assert visitor.button("Show the answer")
    assert violations(visitor, axe) == []
    visitor.theme("dark")
    visitor.width(390)
    assert violations(visitor, axe) == [] and visitor.overflow() <= 0


def test_axe_finds_nothing_in_what_opens(visitor, axe):
    """The link to share, and the phone's menu, whose button bears a word."""
    visitor.open("/")
    visitor.press("Share")
    visitor.until(lambda: visitor.all('[data-testid="stPopoverBody"] [data-testid="stCode"]'))
    assert violations(visitor, axe) == []
    visitor.width(390)
    visitor.open("/")
    button = visitor.all('[data-testid="stExpandSidebarButton"]')[0]
    script = "return getComputedStyle(arguments[0], '::after').content"
    assert visitor.driver.execute_script(script, button) == '"Menu"'
    button.click()
    visitor.until(lambda: visitor.all('[data-testid="stSidebarNavLink"]')[-1].is_displayed())
    assert violations(visitor, axe) == []


def test_axe_finds_nothing_in_a_receipt_or_beside_an_uploader(visitor, axe):
    visitor.open("/")
    visitor.press("How this number was made")
    visitor.until(lambda: visitor.all('[role="dialog"] [data-testid="stCode"]'))
    assert violations(visitor, axe) == []
    visitor.open("/minimal_pairs?data=Upload")
    assert violations(visitor, axe) == []


def test_the_keyboard_goes_into_what_it_opens_and_back(visitor):
    visitor.open("/")
    button = visitor.button("Download")
    visitor.driver.execute_script("arguments[0].focus()", button)
    ActionChains(visitor.driver).send_keys(Keys.ENTER).perform()
    inside = "return !!document.activeElement.closest('[data-testid=\"stPopoverBody\"]')"
    visitor.until(lambda: visitor.driver.execute_script(inside))
    visitor.settle()
    assert tab(visitor)[0] == "Decimal comma"
    ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
    visitor.until(lambda: visitor.driver.execute_script("return document.activeElement === arguments[0]", button))


def test_the_keyboard_is_at_the_content_at_once_and_never_out_of_sight(visitor):
    visitor.open("/next_word")
    stops = [tab(visitor) for _ in range(30)]
    assert stops[0][0] == "Skip to main content"
    assert [name for name, ringed in stops if not ringed] == []
    names = [name for name, _ in stops]
    assert names.index("Compare") < names.index("Train") < names.index("Entailment") < names.index("Models")
    visitor.open("/next_word")
    tab(visitor)
    ActionChains(visitor.driver).send_keys(Keys.ENTER).perform()
    assert visitor.driver.execute_script("return document.activeElement.id") == "stMain"
    assert tab(visitor)[0] == "Help for Model"

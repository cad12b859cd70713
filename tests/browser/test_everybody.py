"""Every page for everybody: readable in both themes, by day and at night, on a phone; axe-core finds nothing.

Nothing else is asked for either: no page needs another host, and none complains on the console.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.browser.screens import TITLES, addresses
from tests.browser.visitor import Visitor

PAGES = addresses()
WIDE, PHONE = 1280, 390
CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")
CODE = '[data-testid="stCode"]'
SKIPPING = "[...document.querySelectorAll('a, button')].find(one => one.textContent.startsWith('Skip to')).focus()"
FOCUSED = """
const ringed = one => getComputedStyle(one).outlineStyle !== 'none';
const focused = document.activeElement;
let one = focused;
for (let up = 0; up < 5 && one && !ringed(one); up += 1) one = one.parentElement;
return [focused.getAttribute('aria-label') || focused.innerText, !!one && ringed(one)];
"""


def faint(visitor: Visitor, width: int) -> list[object]:
    """The texts that do not stand out from what is behind them, by the colours that the browser shows."""
    visitor.whole(width)
    looked, too_faint = visitor.driver.execute_script(CONTRAST)
    assert looked > 15, "next to nothing is shown"
    return too_faint


def tab(visitor: Visitor) -> tuple[str, bool]:
    """Press the tabulator: the name of what has the focus, and whether a ring says so."""
    ActionChains(visitor.driver).send_keys(Keys.TAB).perform()
    name, ringed = visitor.driver.execute_script(FOCUSED)
    return str(name), bool(ringed)


@pytest.mark.parametrize("views", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_every_page_can_be_read_by_everybody_everywhere(visitor, axe, views):
    """The theme is that of the system, and changes with it; texts that cannot be read are found without axe-core."""
    found: dict[str, list[object]] = {}
    visitor.open(PAGES["classroom"])  # which is in the menu only where a class is served
    light = visitor.ground()
    for place, name in enumerate(("classroom", *TITLES)):
        if name in TITLES:
            visitor.go(TITLES[name])
        assert visitor.driver.title.endswith("Pairlens")
        here = []
        for looked in (WIDE, PHONE) if views == 2 else ((WIDE, PHONE)[place % 2],):
            visitor.theme("light" if looked == WIDE else "dark")
            visitor.until(lambda day=looked == WIDE: (visitor.ground() == light) is day, reason="the theme stays")
            if looked == PHONE:
                visitor.phone()
                here += [f"{visitor.overflow()} pixels too wide"] * (visitor.overflow() > 0)
            here += faint(visitor, looked)
            here += visitor.violations(axe, contrast=False)
            visitor.width(WIDE)
        found[name] = here + visitor.errors()
    assert found == {name: [] for name in PAGES}
    assert visitor.strangers() == set()
    assert visitor.requested, "nothing was recorded, so nothing was shown"
    assert visitor.complaints == []


@pytest.mark.soak
def test_axe_finds_nothing_where_one_predicts_what_comes_next(visitor, axe):
    visitor.theme("dark")
    visitor.width(PHONE)
    visitor.open("/next_word?reveal=0")
    assert visitor.button("Show the answer")
    assert visitor.violations(axe) == [] and visitor.overflow() <= 0


def test_axe_finds_nothing_in_what_opens(visitor, axe):
    """The link to share, how a number was made, the phone's menu, whose button bears a word; beside an uploader."""
    visitor.open("/minimal_pairs?data=Upload&reveal=0")
    assert visitor.violations(axe) == []
    visitor.open("/?tab=Tokens")
    visitor.press("Share")
    shared = visitor.until(lambda: visitor.all(f'[data-testid="stPopoverBody"] {CODE}'), reason="no link")[0].text
    assert all(part in shared for part in ("a=The+horses", "b=The+horses", "tab=Tokens", "model=english-small"))
    assert visitor.violations(axe) == []
    ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
    visitor.press("How this number was made")
    visitor.until(lambda: visitor.all(f'[role="dialog"] {CODE}'), reason="no receipt")
    for words in ("For a Methods section", "Log-probabilities were computed with", "@software{pairlens", "sha256"):
        visitor.until(
            lambda words=words: words in visitor.all('[data-testid="stDialog"]')[0].text, reason=f"no '{words}'"
        )
    assert visitor.violations(axe) == [] and visitor.overflow() <= 0
    visitor.phone()
    assert visitor.overflow() <= 0 and visitor.errors() == []
    ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
    visitor.until(lambda: not visitor.all('[data-testid="stDialog"]'), reason="the receipt stays")
    button = visitor.all('[data-testid="stExpandSidebarButton"]')[0]
    script = "return getComputedStyle(arguments[0], '::after').content"
    assert visitor.driver.execute_script(script, button) == '"Menu"'
    button.click()
    visitor.until(lambda: visitor.all('[data-testid="stSidebarNavLink"]')[-1].is_displayed(), reason="no menu")
    assert visitor.violations(axe) == []


def test_the_keyboard_gets_everywhere_visibly_into_what_it_opens_and_back(visitor):
    visitor.open("/")
    stops = [tab(visitor) for _ in range(30)]
    assert stops[0][0] == "Skip to main content"
    assert [name for name, ringed in stops if not ringed] == []
    names = [name for name, _ in stops]
    assert names.index("Compare") < names.index("Train") < names.index("Entailment") < names.index("Models")
    visitor.driver.execute_script(SKIPPING)
    ActionChains(visitor.driver).send_keys(Keys.ENTER).perform()
    assert visitor.driver.execute_script("return document.activeElement.id") == "stMain"
    assert "Open files" in tab(visitor)[0]
    assert tab(visitor)[0] == "Help for Model"
    button = visitor.button("Download")
    visitor.driver.execute_script("arguments[0].focus()", button)
    ActionChains(visitor.driver).send_keys(Keys.ENTER).perform()
    inside = "return !!document.activeElement.closest('[data-testid=\"stPopoverBody\"]')"
    visitor.until(lambda: visitor.driver.execute_script(inside), reason="the keyboard stays outside")
    visitor.settle()
    assert tab(visitor)[0] == "Decimal comma"
    ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()
    visitor.until(lambda: visitor.driver.execute_script("return document.activeElement === arguments[0]", button))

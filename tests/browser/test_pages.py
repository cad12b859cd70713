"""Every page in a real browser: drawn without an error, readable in both themes, no other host; it fits a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.dashboard import serve
from tests.browser.screens import THEMES, addresses
from tests.browser.visitor import Visitor

PAGES = addresses()
WIDE = 1280
CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_an_error_and_every_text_can_be_read(visitor, name, theme):
    """Texts stand out from what is behind them: their contrast, from the colours that the browser shows."""
    visitor.theme(theme)
    visitor.open(PAGES[name])
    assert visitor.errors() == []
    assert visitor.driver.title.endswith("Pairlens")
    visitor.whole(WIDE)
    looked, too_faint = visitor.driver.execute_script(CONTRAST)
    assert looked > 15, "next to nothing is shown"
    assert too_faint == []
    assert visitor.strangers() == set()
    assert visitor.requested, "nothing was recorded, so nothing was shown"
    assert visitor.complaints == []


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(visitor, name):
    """Also when evening comes: the theme is that of the system, and changes with it."""
    visitor.width(390, 844)
    visitor.open(PAGES[name])
    assert visitor.overflow() <= 0
    day = visitor.ground()
    visitor.theme("dark")
    visitor.until(lambda: visitor.ground() != day, reason="the page stays light")
    visitor.settle()
    assert visitor.overflow() <= 0 and visitor.errors() == []


def test_a_link_to_a_page_of_a_fresh_server_has_the_menu(driver, tmp_path):
    """Streamlit would run the page alone."""
    with serve(tmp_path) as address:
        early = Visitor(driver, address)
        early.width(1280)
        early.open("/zero_shot?data=Upload")
        assert early.button("Compare")
        assert early.reads("Files in the format of BLiMP")
        driver.get("about:blank")


def test_the_menu_leads_from_page_to_page(visitor):
    visitor.open("/")
    visitor.press("Benchmarks")
    assert visitor.reads("published test set")
    visitor.press("Compare")
    assert visitor.reads("Which sentence does the model prefer")

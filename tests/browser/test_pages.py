"""Every page in a real browser: it is drawn without an error, talks to no other host, and fits a phone."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.browser.dashboard import serve
from tests.browser.screens import addresses
from tests.browser.visitor import Visitor

PAGES = addresses()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_without_an_error(visitor: Visitor, name: str) -> None:
    visitor.open(PAGES[name])
    visitor.listen()
    assert visitor.errors() == []
    assert visitor.complaints == []
    assert visitor.driver.title.endswith("Pairlens")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_no_other_host(visitor: Visitor, name: str) -> None:
    visitor.open(PAGES[name])
    assert visitor.strangers() == set()
    assert visitor.requested, "nothing was recorded, so nothing was shown"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_a_phone(visitor: Visitor, name: str, theme: str) -> None:
    visitor.theme(theme)
    visitor.width(390, 844)
    visitor.open(PAGES[name])
    assert visitor.overflow() <= 0


def test_a_link_to_a_page_of_a_fresh_server_has_the_menu(driver: Chrome, tmp_path: Path) -> None:
    """Streamlit would run the page alone."""
    with serve(tmp_path) as address:
        early = Visitor(driver, address)
        early.width(1280)
        early.open("/zero_shot?data=Upload")
        assert early.button("Compare")
        assert early.reads("Files in the format of BLiMP")
        driver.get("about:blank")


def test_the_menu_leads_from_page_to_page(visitor: Visitor) -> None:
    visitor.open("/")
    visitor.press("Benchmarks")
    assert visitor.reads("published test set")
    visitor.press("Compare")
    assert visitor.reads("Which sentence does the model prefer")

"""A run under all policies in a real browser. What one press scores is tested in `tests/pages/test_policies.py`."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor


def open_tab(visitor: Visitor, name: str) -> None:
    """Press a tab of a result."""
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if name in one.text), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


def test_all_policies_of_a_run_fit_a_phone(visitor: Visitor) -> None:
    visitor.open("/zero_shot?" + urlencode({"model_name": TINY}))
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    visitor.reads("prefers the right one", 120)
    visitor.settle()
    open_tab(visitor, "Policies")
    visitor.reads("decisions hold under all", 60)
    visitor.settle()
    assert visitor.errors() == []
    visitor.width(390)
    visitor.settle()
    assert visitor.overflow() <= 0

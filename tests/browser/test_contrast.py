"""Every text of every page can be read in both themes: its contrast, from the colours that the browser shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.screens import THEMES, addresses
from tests.browser.visitor import Visitor

CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")
WIDTH = 1280


@pytest.mark.parametrize("theme", THEMES)
def test_texts_stand_out_from_what_is_behind_them(visitor: Visitor, theme: str) -> None:
    visitor.theme(theme)
    failed = {}
    for name, path in addresses().items():
        visitor.width(WIDTH)
        visitor.open(path)
        visitor.whole(WIDTH)
        looked, found = visitor.driver.execute_script(CONTRAST)
        assert looked > 15, f"{name} shows next to nothing"
        failed |= {name: found} if found else {}
    assert failed == {}

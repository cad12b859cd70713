"""The tab Inside of the first page in a real browser: a cell is clicked, and what was asked is still there later."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY
from tests.browser.test_work_is_kept import Chosen, Pressed

PAIR = {"a": "The keys to the cabinet are here.", "b": "The keys to the cabinet is here.", "model": TINY}
PATCH = [Pressed("MLP output"), Chosen("In layer", "2")]
"""What is put into the other beginning, and where."""


def test_a_clicked_cell_says_what_comes_next_and_is_kept(visitor, axe, tmp_path):
    """By the menu and by a reload; on a phone, too, axe-core finds nothing."""
    visitor.open("/?" + urlencode(PAIR))
    visitor.tab("Inside")
    assert visitor.reads("with the patch")
    assert visitor.violations(axe) == []
    visitor.type("Second beginning, one place changed", "The cats to the cabinet")
    assert visitor.reads("put into “The cats to the cabinet”")
    visitor.settle()
    visitor.point('path[aria-label^="layer 2, <s>"]')
    assert visitor.linked("cell=first.2.0")
    visitor.settle()
    before = visitor.text()
    assert "0 % of the difference. A random direction" in before and "without the patch" in before
    assert "“The cats to the cabinet”" in before and visitor.errors() == []
    visitor.reload()
    assert visitor.reads("without the patch")
    visitor.settle()
    assert visitor.text() == before
    visitor.tab("Words")
    visitor.until(lambda: visitor.all('[data-testid="stDataFrame"]'), reason="no table")
    visitor.tab("Inside")
    assert visitor.reads("without the patch")
    visitor.settle()
    assert visitor.text() == before
    for step in PATCH:
        step.do(visitor, tmp_path)
        visitor.until(lambda step=step: step.held(visitor), reason=f"{step} was not done")
        visitor.settle()
    visitor.go("Models")
    visitor.driver.back()
    visitor.reads("The cats to the cabinet")
    visitor.settle()
    assert [step for step in PATCH if not step.held(visitor)] == [] and visitor.errors() == []
    visitor.theme("dark")
    visitor.phone()
    assert visitor.violations(axe) == [] and visitor.overflow() <= 0

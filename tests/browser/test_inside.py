"""The tab Inside of the first page in a real browser: a cell is clicked, and what was asked is still there later."""

from __future__ import annotations

from urllib.parse import urlencode

from tests.browser.conftest import TINY

PAIR = {"a": "The keys to the cabinet are here.", "b": "The keys to the cabinet is here.", "model": TINY}


def test_a_clicked_cell_says_what_comes_next_and_is_kept(visitor, axe):
    """After a reload and after another tab; on a phone axe-core finds nothing."""
    visitor.open("/?" + urlencode(PAIR))
    visitor.tab("Inside")
    assert visitor.reads("with the patch")
    visitor.type("Second beginning, one place changed", "The cats to the cabinet")
    assert visitor.reads("put into “The cats to the cabinet”")
    visitor.settle()
    visitor.point('path[aria-label^="layer 2, <s>"]', "without the patch")
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
    visitor.theme("dark")
    visitor.phone()
    assert visitor.violations(axe) == [] and visitor.overflow() <= 0

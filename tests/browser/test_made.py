"""How this number was made, opened in a footer: the sentence, BibTeX and JSON."""

from __future__ import annotations

from tests.browser.visitor import Visitor


def in_dialog(visitor: Visitor, words: str) -> bool:
    """Wait until these words are in the dialog, which lies outside the page's main part."""
    body = '[data-testid="stDialog"]'
    return bool(visitor.until(lambda: any(words in one.text for one in visitor.all(body)), 60, f"no '{words}'"))


def test_the_footer_of_compare_tells_how_its_number_was_made(visitor):
    visitor.open("/")
    visitor.press("How this number was made")
    for words in ("For a Methods section", "Log-probabilities were computed with", "@software{pairlens", "sha256"):
        assert in_dialog(visitor, words)
    assert not visitor.errors() and visitor.overflow() <= 0
    visitor.width(390)
    visitor.settle()
    assert visitor.overflow() <= 0

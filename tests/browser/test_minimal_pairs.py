"""The page of one's own experiments in a real browser: score, mark by clicking, choose points, every tab."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.browser.conftest import TINY

TYPED = "# sg\nThe cat is red.\nThe cat are red.\n\n# pl\nThe cats are red.\nThe cats is red."


def link(**params: str) -> str:
    return "/minimal_pairs?" + urlencode({"model_name": TINY, **params})


@pytest.mark.soak
def test_the_sample_is_scored_as_a_job_and_then_shown(visitor):
    visitor.open(link())
    visitor.press("Run")
    assert visitor.reads("of 48 pairs")
    visitor.settle()
    assert visitor.errors() == []
    assert len(visitor.all('[data-testid="stVegaLiteChart"]')) == 2 and visitor.overflow() <= 0


def test_words_are_marked_by_clicking_and_a_clicked_point_opens_in_compare(visitor):
    """Every tab fits every screen; the link holds the marks."""
    visitor.open(link(data="Type or paste", typed=TYPED))
    visitor.headline()
    for tab in ("Conditions", "Words", "All policies", "Left out", "Pairs"):
        visitor.tab(tab)
        assert (visitor.errors(), visitor.overflow() <= 0) == ([], True), tab
    visitor.press("Words I mark")
    assert visitor.reads("until then the whole sentence counts")
    visitor.settle()
    for word in ("2 is", "2 are"):
        visitor.press(word)
        visitor.settle()
    assert visitor.reads("The region is")
    assert visitor.linked("marks=2%2F2")
    visitor.phone()
    visitor.reload()
    assert visitor.reads("The region is"), "the link holds the marks"
    visitor.settle()
    assert visitor.overflow() <= 0
    visitor.width(1280)
    visitor.settle()
    visitor.point('.mark-symbol path[aria-label*="Pair: "]', "The pairs you clicked")
    visitor.press("Open in Compare")
    assert visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("red.") and visitor.errors() == []

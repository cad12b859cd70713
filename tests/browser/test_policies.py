"""A run under all policies in a real browser: looked at, all of it scored by one press, on a phone."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest

from tests.browser.conftest import TINY


@pytest.mark.soak
def test_one_press_scores_all_policies_of_a_run(visitor):
    """Our smallest sample, so that loading torch takes longer than the five passes over its texts."""
    visitor.open("/zero_shot?" + urlencode({"model_name": TINY, "task": "entity_tracking"}))
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    visitor.reads("prefers the right one")
    visitor.settle()
    visitor.tab("All policies")
    visitor.reads("under all 4 policies")
    visitor.settle()
    assert visitor.overflow() <= 0 and "11 policies are not scored yet: about " in visitor.text()
    visitor.press("Score them")
    visitor.reads(" of 346 texts")
    visitor.reads("under all 15 policies")
    visitor.settle()
    assert any("PMI: log p(text" in chart.text for chart in visitor.all('[data-testid="stVegaLiteChart"]'))
    assert "not scored yet" not in visitor.text() and visitor.errors() == []
    visitor.width(390)
    visitor.settle()
    assert visitor.overflow() <= 0

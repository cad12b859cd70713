"""The page of models in a real browser: a row opens its card, a model in memory is let go."""

from __future__ import annotations


def test_a_card_is_opened_and_a_model_let_go(visitor):
    visitor.open("/?model=tiny&a=The+dogs+bark+now.&b=The+dogs+barks+now.")
    visitor.headline()
    visitor.settle()
    visitor.press("Models")
    visitor.reads("Which models are here")
    visitor.settle()
    visitor.row(2)
    assert visitor.reads("French, small") and visitor.linked("model=french-small")
    visitor.settle()
    held = len(visitor.all('[class*="st-key-held_"]'))
    assert held and "tiny" in visitor.text()
    buttons = '[class*="st-key-unload_"] button'
    visitor.click(lambda: next(iter(visitor.all(buttons)), None), "nothing to unload")
    visitor.until(lambda: len(visitor.all('[class*="st-key-held_"]')) == held - 1, reason="it is still held")
    visitor.settle()
    assert "French, small" in visitor.text() and visitor.errors() == []

"""The page of agreement sets in a real browser: a group is clicked, and an item opens in Compare; on a phone too."""

from __future__ import annotations


def test_a_click_on_a_group_shows_its_items_and_one_opens_in_compare(visitor):
    """And on a phone every tab fits."""
    visitor.open("/agreement")
    visitor.reads("Right in 59 of our 64")
    visitor.phone()
    for tab in ("Heuristics", "Items by margin", "Attractors"):
        visitor.tab(tab)
        assert visitor.overflow() <= 0, tab
    visitor.width(1280)
    visitor.settle()
    visitor.point('.mark-rect path[aria-label^="Attractors: 1"]', "Only attractors: 1.")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert "Prefers B" in visitor.headline(), "the worst decision comes first"
    assert visitor.errors() == [] and visitor.strangers() == set()

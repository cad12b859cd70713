"""The page of agreement sets in a real browser: from the first press to an item in Compare; files made elsewhere."""

from __future__ import annotations

from tests.browser.conftest import TINY

PAGE = f"/agreement?model_name={TINY}"
COLUMNS = "constr_id\tclass\tform\tcorrect_number\tfreq\tsent\tprobs\tn_attrs\tcls_noun_num"
ITEMS = (("is", "are", -1, 0), ("was", "were", -9, 1), ("has", "have", -2, 1), ("sings", "sing", -3, 0))
"""The right form and the wrong one, the log-probability of the right one, attractors: the second is wrong."""


def test_a_click_on_a_group_shows_its_items_and_one_opens_in_compare(visitor):
    """And on a phone every tab fits, by day and at night."""
    visitor.open(PAGE)
    visitor.press("Run")
    visitor.reads("Baselines that do not look at the head")
    visitor.phone()
    for tab, theme in (("Heuristics", "light"), ("Items by margin", "dark"), ("Attractors", "light")):
        visitor.theme(theme)
        visitor.tab(tab)
        assert visitor.overflow() <= 0, tab
    visitor.width(1280)
    visitor.settle()
    visitor.point('.mark-rect path[aria-label^="Attractors: 1"]')
    assert visitor.reads("Only attractors: 1.")
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert "Prefers B" in visitor.headline(), "the worst decision comes first"
    assert visitor.errors() == []


def test_a_file_made_elsewhere_needs_no_model(visitor, tmp_path):
    lines = [COLUMNS]
    for place, (right, wrong, value, attractors) in enumerate(ITEMS):
        about = f"sing\t50\tThe key to the doors {{}} here . <eos>\t{{}}\t{attractors}\tplur"
        lines += [
            f"{place}\tcorrect\t{right}\t{about.format(right, value)}",
            f"{place}\twrong\t{wrong}\t{about.format(wrong, -5)}",
        ]
    path = tmp_path / "elsewhere.raw-pred"
    path.write_text("\n".join(lines) + "\n")
    visitor.open(f"{PAGE}&data=Upload")
    visitor.give(path)
    assert visitor.reads("Right in 3 of 4 items")
    for tab in ("Heuristics", "Items by margin", "Left out"):
        visitor.tab(tab)
        assert visitor.errors() == []
    assert visitor.strangers() == set()

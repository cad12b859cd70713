"""The page Entailment in a real browser: a click on a cell of either table, files of answers, a phone."""

from __future__ import annotations

import pytest

from pairlens.places import FOLDER as ROOT

CELL = '.mark-rect path[aria-label^="{}"]'
SAMPLES = ROOT / "data" / "samples" / "nli"


def test_a_typed_pair_is_answered_and_a_click_on_a_cell_explains_it_and_one_on_a_result_opens_it(visitor):
    visitor.open("/nli")
    assert visitor.reads("b follows from a (100") and visitor.reads("counts as paraphrase")
    visitor.type("Premise (a)", "A woman is cooking.")
    visitor.type("Hypothesis (b)", "A woman is not cooking.")
    assert visitor.reads("a and b cannot both be true (100") and visitor.errors() == []
    visitor.settle()
    visitor.point(CELL.format("SICK × ASSIN: "), "E or P counts")
    visitor.point(CELL.format("our sample like SICK × ASSIN labels"), "on our 50 sample pairs with the labels of")
    assert visitor.errors() == [] and visitor.strangers() == set()


@pytest.mark.soak
def test_a_visitor_s_xml_is_evaluated_with_relatedness(visitor):
    visitor.open("/nli?data=upload")
    for place, name in enumerate(("assin2.xml", "assin2_answers.xml")):
        visitor.give(SAMPLES / name, place)
        assert visitor.reads("on assin2")
        visitor.settle()
    assert visitor.reads("assin2 answers: macro-F1 0.850 on assin2")
    assert visitor.reads("Relatedness: Pearson 0.938") and visitor.errors() == []


def test_it_fits_a_phone_in_portuguese(visitor):
    visitor.width(390, 844)
    visitor.open("/nli?lang=Portugu%C3%AAs")
    assert visitor.reads("conta como paráfrase")
    visitor.settle()
    assert visitor.overflow() <= 0 and visitor.errors() == []

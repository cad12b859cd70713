"""The page Entailment in a real browser: a click on a cell of either table, files of answers, a phone."""

from __future__ import annotations

from core.settings import ROOT

SAMPLES = ROOT / "data" / "samples" / "nli"
GOLD = "id,premise,hypothesis,label\n1,The cat sleeps.,A cat sleeps.,entailment\n2,A cat.,The dog.,none\n"


def test_cells_explain_themselves_and_a_typed_pair_is_answered_in_both_directions(visitor):
    visitor.open("/nli")
    assert visitor.reads("counts as paraphrase")
    visitor.point('.mark-rect path[aria-label^="SICK × ASSIN: "]')
    assert visitor.reads("E or P counts")
    visitor.point('.mark-rect path[aria-label^="our sample like SICK × ASSIN labels"]')
    assert visitor.reads("on our 50 sample pairs with the labels of SICK")
    assert visitor.headline().startswith("(a, b): entailment")
    visitor.type("Premise (a)", "A woman is cooking.")
    visitor.type("Hypothesis (b)", "A woman is not cooking.")
    assert visitor.reads("(a, b): contradiction")
    assert "(b, a): contradiction" in visitor.headline()
    assert visitor.errors() == [] and visitor.strangers() == set()


def test_a_model_is_asked_about_a_file_as_a_job(visitor, tmp_path):
    pairs = tmp_path / "mine.csv"
    pairs.write_text(GOLD)
    visitor.open(f"/nli?data=path&path={pairs}")
    assert visitor.reads("bilingual-entailment on mine: 2 questions")
    visitor.press("Ask the models")
    assert visitor.reads("bilingual-entailment: macro-F1")
    assert visitor.errors() == []


def test_answers_of_a_visitor_need_no_model(visitor, tmp_path):
    """Tables, and the XML of the shared tasks with its relatedness."""
    pairs, answers = tmp_path / "mine.csv", tmp_path / "answers.csv"
    pairs.write_text(GOLD)
    answers.write_text("id,label\n1,entailment\n2,none\n")
    visitor.open("/nli?data=upload")
    for place, file in enumerate((pairs, answers)):
        visitor.give(file, place)
        assert visitor.reads("on mine")
        visitor.settle()
    assert visitor.reads("answers: macro-F1 1.000 on mine")
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
    for theme in ("light", "dark"):
        visitor.theme(theme)
        visitor.settle()
        assert visitor.overflow() <= 0 and visitor.errors() == []

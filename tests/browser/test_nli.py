"""The page Entailment in a real browser: a click on a cell of either table, files of answers, a phone."""

from __future__ import annotations

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from core.settings import ROOT
from tests.browser.visitor import Visitor

CHART = '[data-testid="stVegaLiteChart"] .mark-rect path'
SAMPLES = ROOT / "data" / "samples" / "nli"
GOLD = "id,premise,hypothesis,label\n1,The cat sleeps.,A cat sleeps.,entailment\n2,A cat.,The dog.,none\n"


def click(visitor: Visitor, said: str) -> None:
    """Click the cell of which this is said."""

    def clicked() -> bool:
        marks = visitor.all(f'{CHART}[aria-label^="{said}"]')
        if marks:
            visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", marks[0])
            ActionChains(visitor.driver).move_to_element(marks[0]).click().perform()
        return bool(marks)

    visitor.until(clicked, reason=f"no cell says {said}")
    visitor.settle()


def test_a_click_on_a_cell_explains_it_and_one_on_a_result_opens_it(visitor):
    visitor.open("/nli")
    assert visitor.reads("counts as paraphrase")
    click(visitor, "SICK × ASSIN: ")
    assert visitor.reads("E or P counts")
    click(visitor, "our sample like SICK × ASSIN labels")
    assert visitor.reads("on our 50 sample pairs with the labels of SICK")
    assert visitor.errors() == [] and visitor.strangers() == set()


def test_a_typed_pair_is_answered_in_both_directions(visitor):
    visitor.open("/nli")
    assert visitor.headline().startswith("(a, b): entailment")
    visitor.type("Premise (a)", "A woman is cooking.")
    visitor.type("Hypothesis (b)", "A woman is not cooking.")
    assert visitor.reads("(a, b): contradiction")
    assert "(b, a): contradiction" in visitor.headline() and visitor.errors() == []


def test_a_model_is_asked_about_a_sample_as_a_job(visitor):
    visitor.open(f"/nli?data=path&path={SAMPLES / 'assin.xml'}")
    assert visitor.reads("bilingual-entailment on assin: 96 questions")
    visitor.press("Ask the models")
    assert visitor.reads("bilingual-entailment: macro-F1")
    visitor.settle()
    assert visitor.errors() == []


def test_a_visitor_s_xml_is_evaluated_with_relatedness(visitor):
    visitor.open("/nli?data=upload")
    for place, name in enumerate(("assin2.xml", "assin2_answers.xml")):
        visitor.driver.find_elements(By.CSS_SELECTOR, "input[type=file]")[place].send_keys(str(SAMPLES / name))
        assert visitor.reads("on assin2")
        visitor.settle()
    assert visitor.reads("assin2 answers: macro-F1 0.850 on assin2")
    assert visitor.reads("Relatedness: Pearson 0.938") and visitor.errors() == []


def test_files_of_a_visitor_need_no_model(visitor, tmp_path):
    pairs, answers = tmp_path / "mine.csv", tmp_path / "answers.csv"
    pairs.write_text(GOLD)
    answers.write_text("id,label\n1,entailment\n2,none\n")
    visitor.open("/nli?data=upload")
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(pairs))
    assert visitor.reads("on mine: 2 questions")
    visitor.settle()
    visitor.driver.find_elements(By.CSS_SELECTOR, "input[type=file]")[1].send_keys(str(answers))
    assert visitor.reads("answers: macro-F1 1.000 on mine")
    assert visitor.errors() == []


def test_a_file_and_its_columns_are_there_again(visitor, tmp_path):
    pairs = tmp_path / "meu.csv"
    pairs.write_text("frase1;frase2;rotulo\nThe cat sleeps here.;A cat sleeps here.;entailment\nA b c.;D e f.;none\n")
    visitor.open("/nli?data=upload")
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(pairs))
    assert visitor.reads("on meu: 2 questions")
    visitor.settle()
    for page in ("Data", "Entailment"):
        link = visitor.until(
            lambda page=page: [e for e in visitor.all('[data-testid="stTopNavLink"]') if page in e.text]
        )
        link[0].click()
        visitor.until(lambda page=page: [one.text for one in visitor.all("h1")] == [page])
        visitor.settle()
    assert visitor.reads("Uploaded earlier: meu.csv") and visitor.reads("on meu: 2 questions")
    visitor.reload()
    assert visitor.reads("on meu: 2 questions") and visitor.errors() == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone_in_portuguese(visitor, theme):
    visitor.theme(theme)
    visitor.width(390, 844)
    visitor.open("/nli?lang=Portugu%C3%AAs")
    assert visitor.reads("conta como paráfrase")
    visitor.settle()
    assert visitor.overflow() <= 0
    assert visitor.errors() == []

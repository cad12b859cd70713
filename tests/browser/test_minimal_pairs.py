"""The page of one's own experiments in a real browser: score, mark by clicking, choose points, take files away."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

TYPED = "# sg\nThe cat is red.\nThe cat are red.\n\n# pl\nThe cats are red.\nThe cats is red."
POINTS = '[data-testid="stVegaLiteChart"] .mark-symbol path[aria-label*="Pair: "]'


def link(**params: str) -> str:
    return "/minimal_pairs?" + urlencode({"model_name": TINY, **params})


def typed(visitor: Visitor, **params: str) -> None:
    visitor.open(link(data="Type or paste", typed=TYPED, **params))
    visitor.headline()
    visitor.settle()


def open_tab(visitor: Visitor, name: str) -> None:
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if one.text == name), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


def test_the_sample_is_scored_as_a_job_and_then_shown(visitor):
    visitor.open(link())
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    assert visitor.reads("of 48 pairs", 60)
    visitor.settle()
    assert visitor.errors() == []
    charts = visitor.all('[data-testid="stVegaLiteChart"]')
    assert len(charts) == 2 and visitor.overflow() <= 0


def test_words_are_marked_by_clicking_them(visitor):
    typed(visitor)
    visitor.press("Words I mark")
    assert visitor.reads("until then the whole sentence counts")
    visitor.settle()
    for word in ("2 is", "2 are"):
        visitor.press(word)
        visitor.settle()
    assert visitor.reads("The region is")
    assert visitor.linked("marks=2%2F2")
    visitor.reload()
    assert visitor.reads("The region is"), "the link holds the marks"
    assert visitor.errors() == []


def test_a_clicked_point_is_listed_and_opens_in_compare(visitor):
    typed(visitor)
    open_tab(visitor, "Pairs")
    point = visitor.until(lambda: visitor.all(POINTS), reason="no points")[0]
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", point)
    ActionChains(visitor.driver).move_to_element(point).click().perform()
    assert visitor.reads("The pairs you clicked")
    visitor.settle()
    visitor.press("Open in Compare")
    assert visitor.reads("Which sentence does the model prefer")
    assert visitor.linked("red.")


def test_file_mapping_region_and_tab_are_kept(visitor, tmp_path):
    """On the menu, on Back, and what the link holds on a reload."""
    rows = [f"1,{number},{gram},The {noun} {verb} red ." for number, noun in (("sg", "cat"), ("pl", "cats"))
            for gram, verb in (("grammatical", "is"), ("ungrammatical", "are"))]  # fmt: skip
    mine = tmp_path / "mine.csv"
    mine.write_text("\n".join(["item,number,grammaticality,sentence", *rows]))
    visitor.open(link(data="Upload"))
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(mine))
    assert visitor.reads("‘grammatical’ should win")
    visitor.settle()
    visitor.press("Swap sides")
    assert visitor.reads("‘ungrammatical’ should win")
    visitor.settle()
    visitor.press("Words I mark")
    assert visitor.reads("until then the whole sentence counts")
    visitor.settle()
    visitor.press("2 is")
    assert visitor.reads("The region is")
    open_tab(visitor, "Conditions")

    def kept() -> bool:
        told = ("‘ungrammatical’ should win", "The region is", "Difference: ungrammatical − grammatical")
        return all(visitor.reads(one) for one in told) and visitor.errors() == []

    for back in (lambda: follow(visitor, "Your experiment"), visitor.driver.back):
        follow(visitor, "Models")
        assert visitor.reads("In memory")
        visitor.settle()
        back()
        assert kept()
        visitor.settle()
    visitor.reload()
    assert visitor.reads("‘ungrammatical’ should win") and visitor.reads("The region is")
    assert visitor.all("[data-testid=stPopover]") and "mine.csv" in visitor.text()


def follow(visitor: Visitor, page: str) -> None:
    links = '[data-testid="stTopNavLink"]'
    visitor.until(lambda: next((one for one in visitor.all(links) if one.text == page), None)).click()


@pytest.mark.parametrize("tab", ["Conditions", "Words", "All policies", "Left out"])
def test_every_tab_is_drawn(visitor, tab):
    typed(visitor)
    open_tab(visitor, tab)
    assert visitor.errors() == []
    assert visitor.overflow() <= 0


def test_a_bad_upload_is_one_sentence(visitor, tmp_path):
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("words,numbers\na,1\n")
    visitor.open(link(data="Upload"))
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(wrong))
    found = visitor.until(visitor.errors, reason="nothing was said about the file")
    assert len(found) == 1 and "wrong.csv" in found[0]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_an_answer_fits_a_phone(visitor, theme):
    visitor.theme(theme)
    visitor.width(390, 844)
    typed(visitor)
    assert visitor.overflow() <= 0

"""The page of agreement sets in a real browser: from the first press to an item in Compare; files made elsewhere."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By

from tests.browser.conftest import TINY
from tests.browser.visitor import Visitor

COLUMNS = "constr_id\tclass\tform\tcorrect_number\tfreq\tsent\tprobs\tn_attrs\tcls_noun_num"


def link(**params: str | list[str]) -> str:
    return "/agreement?" + urlencode({"model_name": TINY, **params}, doseq=True)


def finished(visitor: Visitor) -> None:
    """Open the sample's answers; have it scored if no test before has."""
    visitor.open(link())
    if not visitor.all(".pl-headline"):
        visitor.press("Run")
    visitor.reads("Baselines that do not look at the head", 60)
    visitor.settle()


def open_tab(visitor: Visitor, name: str) -> None:
    tab = visitor.until(lambda: next((one for one in visitor.all("[role=tab]") if name in one.text), None))
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", tab)
    tab.click()
    visitor.settle()


@pytest.fixture
def predictions(tmp_path):
    """Four items with log-probabilities that another program made; the second is wrong."""
    lines = [COLUMNS]
    for place, (right, wrong, value, attractors) in enumerate(
        (("is", "are", -1, 0), ("was", "were", -9, 1), ("has", "have", -2, 1), ("sings", "sing", -3, 0))
    ):
        about = f"sing\t50\tThe key to the doors {{}} here . <eos>\t{{}}\t{attractors}\tplur"
        lines += [
            f"{place}\tcorrect\t{right}\t{about.format(right, value)}",
            f"{place}\twrong\t{wrong}\t{about.format(wrong, -5)}",
        ]
    path = tmp_path / "elsewhere.raw-pred"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_click_on_a_group_shows_its_items_and_one_opens_in_compare(visitor):
    finished(visitor)
    marks = '[data-testid="stVegaLiteChart"] .mark-rect path[aria-label^="Attractors: 1"]'
    column = visitor.until(lambda: visitor.all(marks), reason="no column for one attractor")[0]
    visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", column)
    ActionChains(visitor.driver).move_to_element(column).click().perform()
    assert visitor.reads("Only attractors: 1.")
    visitor.settle()
    visitor.press("Open in Compare")
    visitor.reads("Which sentence does the model prefer")
    assert "Prefers B" in visitor.headline(), "the worst decision comes first"
    assert visitor.errors() == []


def test_a_file_made_elsewhere_needs_no_model(visitor, predictions):
    visitor.open(link(data="Upload"))
    visitor.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(predictions))
    assert visitor.reads("Right in 3 of 4 items")
    for tab in ("Heuristics", "Items by margin", "Left out"):
        open_tab(visitor, tab)
        assert visitor.errors() == []
    assert visitor.strangers() == set()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone(visitor, theme):
    visitor.theme(theme)
    visitor.width(390, 844)
    finished(visitor)
    for tab in ("Attractors", "Heuristics", "Items by margin"):
        open_tab(visitor, tab)
        assert visitor.overflow() <= 0, tab
    assert visitor.errors() == []

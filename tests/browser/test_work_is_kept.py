"""What somebody typed, chose, uploaded or opened is there again: after the menu, after Back, after a reload."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.conftest import TINY
from tests.browser.screens import TITLES, addresses
from tests.browser.visitor import PATIENCE, Visitor

PAGES = addresses()
TABLE = """sentence,pairid,comparison,wave
The cats are here.,1,expected,a
The cats is here.,1,unexpected,a
A cat is here.,2,expected,b
A cat are here.,2,unexpected,b
"""
GOLD = "premise\thypothesis\tlabel\n" + "".join(
    f"A cat sleeps.\t{hypothesis}\t{label}\n"
    for hypothesis, label in (("A cat naps.", "Paraphrase"), ("It sleeps.", "Entailment"), ("It eats.", "None"))
)


@dataclass(frozen=True)
class Typed:
    """Words in a text field."""

    label: str
    words: str

    def do(self, visitor: Visitor, folder: Path) -> None:
        visitor.type(self.label, self.words)

    def held(self, visitor: Visitor) -> bool:
        fields = visitor.all("textarea, input")
        return any(self.label in str(field.get_attribute("aria-label")) and field.get_property("value") == self.words
                   for field in fields)  # fmt: skip


@dataclass(frozen=True)
class Chosen:
    """An option of a list; of one that takes several, one more."""

    label: str
    option: str

    def do(self, visitor: Visitor, folder: Path) -> None:
        visitor.until(lambda: self._done(visitor), reason=f"no '{self.option}' in a list '{self.label}'")
        # The next click shall press something, not close the list.
        ActionChains(visitor.driver).send_keys(Keys.ESCAPE, Keys.TAB).perform()

    def _done(self, visitor: Visitor) -> bool:
        for field in self._fields(visitor)[:1]:
            visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
            field.click()  # the keys go to what has the focus: the page may draw the field anew meanwhile
            keys = ActionChains(visitor.driver)
            keys.key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(self.option).perform()
            with suppress(TimeoutException):  # or close the list
                visitor.until(lambda: _named(visitor, '[role="option"]', self.option), PATIENCE).click()
                return True
        return False

    def held(self, visitor: Visitor) -> bool:
        values = [str(field.get_property("value")) for field in self._fields(visitor)]
        return self.option in [*values, *(tag.text for tag in visitor.all("[data-tag]"))]

    def _fields(self, visitor: Visitor) -> list[WebElement]:
        lists = visitor.all('[role="combobox"]')
        return [field for field in lists if field.get_attribute("aria-label") == self.label]


@dataclass(frozen=True)
class Pressed:
    """One of a row of buttons, or a tab."""

    name: str

    def do(self, visitor: Visitor, folder: Path) -> None:
        visitor.click(lambda: _named(visitor, '[role="radio"], [role="tab"]', self.name), f"no '{self.name}'")

    def held(self, visitor: Visitor) -> bool:
        pressed = visitor.all('[aria-checked="true"], [role="tab"][aria-selected="true"]')
        return self.name in [button.text for button in pressed]


@dataclass(frozen=True)
class Uploaded:
    """A file of one's own."""

    name: str
    text: str

    def do(self, visitor: Visitor, folder: Path) -> None:
        (folder / self.name).write_text(self.text)
        field = visitor.until(lambda: visitor.all('input[type="file"]'), reason="no place for files")[0]
        address = visitor.driver.current_url
        field.send_keys(str(folder / self.name))
        visitor.until(lambda: visitor.driver.current_url != address, reason=f"{self.name} did not arrive")

    def held(self, visitor: Visitor) -> bool:
        return self.name in visitor.text()


@dataclass(frozen=True)
class Mapped:
    """A column of one's own table in a role."""

    role: str
    column: str

    def do(self, visitor: Visitor, folder: Path) -> None:
        visitor.press("Columns")
        Chosen(self.role, self.column).do(visitor, folder)
        visitor.linked(self.column)
        ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()

    def held(self, visitor: Visitor) -> bool:
        return self.column in visitor.text()


Step = Mapped | Typed | Chosen | Pressed | Uploaded

KEPT: dict[str, list[Step]] = {
    "compare": [
        Typed("A", "The keys are tired."), Typed("B", "The keys is tired."), Chosen("Model", TINY), Pressed("Inside"),
        Typed("Second beginning, one place changed", "The cats"), Pressed("MLP output"), Chosen("In layer", "2"),
    ],
    "next_word": [
        Typed("Beginning of a text", "The keys to the cabinet"), Typed("Forms to compare", "is, are"),
        Chosen("Model", TINY), Pressed("by word"),
    ],
    "lesson": [Pressed("7"), Typed("Which word comes next?", "were"), Chosen("Model", TINY)],
    "train": [
        Typed("Minutes", "4"), Pressed("small"), Typed("Name of the model", "mine"),
        Chosen("Test pairs during training", "None"), Pressed("Upload"),
        Uploaded("mine.txt", "A cat is here.\n" * 50),
    ],
    "zero_shot": [Chosen("Model", TINY), Pressed("by score"), Pressed("Paradigms")],
    "agreement": [Chosen("Model", TINY), Pressed("Our French sample")],
    "stereoset": [Pressed("Triples"), Chosen("Bias type", "gender")],
    "minimal_pairs": [
        Pressed("Upload"), Uploaded("mine.csv", TABLE), Mapped("Conditions", "wave"), Pressed("Words"),
    ],
    "nli": [
        Pressed("lenient"), Typed("Premise (a)", "Um gato dorme."), Pressed("Upload"), Uploaded("mine.tsv", GOLD),
    ],
    "results": [Pressed("SQL")],
    "data": [Chosen("Also check with the tokens of", "english-small")],
    "models": [Typed("Add a model: a name on the hub, a folder, a GGUF file or a server", "english-small")],
}  # fmt: skip
"""What somebody does on each page."""
TOGETHER = (
    ("agreement", "stereoset"), ("minimal_pairs", "nli"), ("models", "train"), ("zero_shot", "next_word"),
    ("results", "lesson"), ("compare", "data"),
)  # fmt: skip
"""Pages that are used in turn: on those of the first two pairs the control for data has the same name and offers
other things. All but the first, and all in the other order, are for `make soak`."""
ROWS = [
    pytest.param(*pages, id="-".join(pages), marks=() if pages == TOGETHER[0] else pytest.mark.soak)
    for one, other in TOGETHER
    for pages in ((one, other), (other, one))
]


@pytest.mark.parametrize(("one", "other"), ROWS)
def test_work_is_kept(visitor, tmp_path, one, other):
    """On one page by the menu, also after a reload of the other; on the other page by Back, and by its reload."""
    visitor.open(PAGES[one])
    visitor.driver.execute_script("sessionStorage.clear()")  # how earlier tests left the pages
    for page in (one, other):
        if page != one:
            visitor.go(TITLES[page])
        for step in KEPT[page]:
            step.do(visitor, tmp_path)
            visitor.until(lambda done=step: done.held(visitor), reason=f"{step} was not done")
            visitor.settle()
        # Nobody leaves sooner: history.js takes a change of the address just before for part of leaving.
        time.sleep(0.6)

    def lost(page: str, after: str) -> list[str]:
        visitor.until(lambda: visitor.opened() == TITLES[page], reason=f"not at {page} after {after}")
        visitor.settle()
        return visitor.errors() + [f"{step} after {after}" for step in KEPT[page] if not step.held(visitor)]

    visitor.go(TITLES[one])
    assert lost(one, "the menu") == []
    visitor.driver.back()
    assert lost(other, "Back") == []
    visitor.reload()
    assert lost(other, "a reload") == []
    visitor.go(TITLES[one])
    assert lost(one, "a reload of another page") == []


def test_all_pages_are_tried():
    used = sorted(page for pages in TOGETHER for page in pages)
    assert used == sorted(KEPT) == sorted(TITLES) == sorted({*PAGES} - {"classroom"})  # in the menu with a class only


def _named(visitor: Visitor, selector: str, name: str) -> WebElement | None:
    return next((each for each in visitor.all(selector) if each.text == name and each.is_displayed()), None)


def test_a_run_that_results_opened_is_not_how_benchmarks_was_left(visitor):
    visitor.open("/zero_shot?model_name=english-small")  # which answers at once
    visitor.press("How this number was made")
    visitor.press("Follow it down to the tokens")
    visitor.press("Open its page")
    visitor.reads("Set up another run")
    visitor.go("Results")
    visitor.go("Benchmarks")
    assert "Set up another run" not in visitor.text() and "run=" not in visitor.driver.current_url

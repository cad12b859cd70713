"""What somebody typed, chose, uploaded or opened is there again: after the menu, after Back, after a reload."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.browser.conftest import TINY
from tests.browser.screens import addresses
from tests.browser.visitor import Visitor

TITLES = {
    "compare": "Compare", "next_word": "Next word", "lesson": "Lesson", "train": "Train", "zero_shot": "Benchmarks",
    "agreement": "Agreement", "stereoset": "Stereotypes", "minimal_pairs": "Your experiment", "nli": "Entailment",
    "results": "Results", "data": "Data", "models": "Models",
}  # fmt: skip
TABLE = """sentence,pairid,comparison,wave
The cats are here.,1,expected,a
The cats is here.,1,unexpected,a
A cat is here.,2,expected,b
A cat are here.,2,unexpected,b
"""
ITEM = '{"sentence_good": "The cats are here.", "sentence_bad": "The cats is here.", "UID": "mine", "pairID": "0"}\n'
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
        field = visitor.until(lambda: self._fields(visitor), reason=f"no list '{self.label}'")[0]
        visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", field)
        field.click()  # the keys go to what has the focus: the page may draw the field anew meanwhile
        keys = ActionChains(visitor.driver)
        keys.key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(self.option).perform()
        _named(visitor, '[role="option"]', self.option).click()
        visitor.until(lambda: self.held(visitor), reason=f"{self} was not chosen")
        visitor.settle()
        # The next click shall press something, not close the list.
        ActionChains(visitor.driver).send_keys(Keys.ESCAPE, Keys.TAB).perform()

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
        visitor.until(lambda: self._pressed(visitor), reason=f"{self} cannot be pressed")

    def _pressed(self, visitor: Visitor) -> bool:
        """Whether it is pressed by now: a click misses what moves."""
        if not self.held(visitor):
            button = _named(visitor, '[role="radio"], [role="tab"]', self.name)
            visitor.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
            button.click()
        if held := self.held(visitor):
            return held
        ActionChains(visitor.driver).send_keys(Keys.ESCAPE).perform()  # it closed a list, which opens again
        return False

    def held(self, visitor: Visitor) -> bool:
        pressed = visitor.all('[aria-checked="true"], [role="tab"][aria-selected="true"]')
        return self.name in [button.text for button in pressed]


@dataclass(frozen=True)
class Read:
    """Words on the page, after a button is pressed or because of the steps before."""

    words: str
    button: str = ""

    def do(self, visitor: Visitor, folder: Path) -> None:
        if self.button:
            visitor.press(self.button)

    def held(self, visitor: Visitor) -> bool:
        return self.words in visitor.text()


@dataclass(frozen=True)
class Uploaded:
    """A file of one's own."""

    name: str
    text: str

    def do(self, visitor: Visitor, folder: Path) -> None:
        (folder / self.name).write_text(self.text)
        address = visitor.driver.current_url
        visitor.give(folder / self.name)
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


Step = Mapped | Typed | Chosen | Pressed | Read | Uploaded

PRESSED: dict[str, list[Step]] = {
    "compare": [Typed("A", "The dogs are tired."), Chosen("Model", TINY), Pressed("Tokens")],
    "next_word": [Typed("Beginning of a text", "The keys to the cabinet"), Chosen("Model", TINY), Pressed("by word")],
    "lesson": [Pressed("7"), Typed("Which word comes next?", "were"), Chosen("Model", TINY)],
    "train": [
        Typed("Minutes", "4"), Pressed("small"), Typed("Name of the model", "mine"),
        Chosen("Test pairs during training", "None"),
    ],
    "zero_shot": [Chosen("Model", TINY), Pressed("by score"), Pressed("Paradigms")],
    "agreement": [Chosen("Model", "unigram-english"), Pressed("Our French sample")],
    "stereoset": [Pressed("Within a sentence"), Pressed("Terms")],
    "minimal_pairs": [
        Pressed("Upload"), Uploaded("mine.csv", TABLE), Mapped("Conditions", "wave"),
        Read("‘unexpected’ should win", "Swap sides"), Pressed("Words I mark"), Read("The region is", "2 is"),
        Pressed("Words"),
    ],
    "nli": [Pressed("lenient"), Typed("Premise (a)", "Um gato dorme."), Pressed("Pairs")],
    "results": [Pressed("Ask with SQL"), Typed("SELECT ...", "select 7 * 6 as answer"), Read("1 row,", "Run query")],
    "data": [Pressed("Items"), Chosen("Also check with the tokens of", "english-small")],
    "models": [Typed("Name on the Hugging Face hub, or a folder", "english-small")],
}  # fmt: skip
"""What somebody does on each page."""
UPLOADED: dict[str, list[Step]] = {
    "zero_shot": [Pressed("Upload"), Uploaded("mine.jsonl", ITEM)],
    "train": [Pressed("Upload"), Uploaded("mine.txt", "The cat sleeps.\nThe dogs sleep.\n"), Read("1 left out")],
    "nli": [Pressed("Upload"), Uploaded("mine.tsv", GOLD), Read("on mine: 3 questions")],
    "data": [Pressed("Your files"), Uploaded("unknown.csv", "ok,not ok\nA cat is.,A cat are.\n"),
             Read("Which columns hold the good and the bad texts?")],
}  # fmt: skip
"""Files that replace what others show."""


def journey(visitor: Visitor, folder: Path, steps: Mapping[str, Sequence[Step]]) -> list[str]:
    """What was lost of these steps: by the menu, by Back through all pages, by a reload of each."""
    lost: list[str] = []

    def look(page: str, after: str) -> None:
        visitor.until(lambda: visitor.opened() == TITLES[page], reason=f"not at {page} after {after}")
        visitor.settle()
        lost.extend(f"{page}: {step} after {after}" for step in steps[page] if not step.held(visitor))
        lost.extend(visitor.errors())

    visitor.open("/train?drop=dogs")
    for page in steps:
        visitor.go(TITLES[page])
        for step in steps[page]:
            step.do(visitor, folder)
            visitor.until(lambda step=step: step.held(visitor), reason=f"{step} was not done")
            visitor.settle()
        # Nobody leaves sooner: history.js takes a change of the address just before for part of leaving.
        time.sleep(0.6)
    for page in steps:
        visitor.go(TITLES[page])
        look(page, "the menu")
    for page in reversed(steps):
        if visitor.opened() != TITLES[page]:
            visitor.driver.back()
            look(page, "Back")
        visitor.reload()
        look(page, "a reload")
    return lost


def test_what_was_chosen_typed_and_opened_is_kept(visitor, tmp_path):
    assert {*PRESSED} == {*TITLES} == {*addresses()} - {"classroom"}  # in the menu only where a class is served
    assert journey(visitor, tmp_path, PRESSED) == []


def test_what_was_uploaded_is_kept(visitor, tmp_path):
    assert journey(visitor, tmp_path, UPLOADED) == []


def _named(visitor: Visitor, selector: str, name: str) -> WebElement:
    def shown() -> WebElement | None:
        return next((each for each in visitor.all(selector) if each.text == name and each.is_displayed()), None)

    element: WebElement = visitor.until(shown, reason=f"no '{name}'")
    return element


def test_neither_a_reload_of_another_page_nor_a_link_of_results_changes_how_a_page_was_left(visitor):
    visitor.open("/")
    visitor.type("A", "The cats sleep.")
    visitor.type("B", "The cats sleeps.")
    visitor.linked("b=")
    visitor.go("Results")
    visitor.reload()
    visitor.go("Compare")
    typed = [Typed("A", "The cats sleep."), Typed("B", "The cats sleeps.")]
    visitor.until(lambda: all(one.held(visitor) for one in typed), reason="what was typed is gone")
    visitor.press("Save to Results")
    visitor.press("Open it")
    visitor.press("Open its page")
    visitor.reads("Set up another run")
    visitor.go("Results")
    visitor.go("Benchmarks")  # which is as it was left, not as Results opened it
    assert "Set up another run" not in visitor.text() and "run=" not in visitor.driver.current_url

"""The jobs of the handbook (docs/tutorial_*.md) by their clicks, as somebody does them who has read it.

`PAIRLENS_PICTURES=docs make browser` writes the handbook's pictures.
"""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.browser.dashboard import ROOT
from tests.browser.visitor import Visitor

PICTURES = os.environ.get("PAIRLENS_PICTURES", "")
SAMPLES = ROOT / "data" / "samples"
KEYS = {"a": "The keys to the cabinet are here.", "b": "The keys to the cabinet is here."}
WIDTH, HEIGHT = 1280, 900


@pytest.fixture
def reader(visitor):
    """Whoever follows the handbook, on a laptop."""
    visitor.width(WIDTH, HEIGHT)
    visitor.theme("light")
    visitor.open("/")
    return visitor


def open_files(reader: Visitor, *names: str) -> None:
    """Drop samples on *Open files*."""
    reader.press("Open files")
    reader.until(lambda: reader.all("input[type=file]"), reason="no place for files")
    reader.all("input[type=file]")[-1].send_keys("\n".join(str(SAMPLES / name) for name in names))


def picture(reader: Visitor, name: str) -> None:
    """The answer as it is seen now, if pictures are asked for."""
    reader.settle()
    assert reader.errors() == []
    if PICTURES:
        shown = "document.querySelector('.pl-headline')?.scrollIntoView({block: 'nearest', behavior: 'instant'})"
        reader.driver.execute_script(shown)
        reader.driver.save_screenshot(str(Path(PICTURES) / f"{name}.png"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_word_is_changed_and_the_margin_moves(reader, theme):
    reader.theme(theme)
    reader.open("/?" + urlencode(KEYS))
    before = reader.headline()
    picture(reader, f"compare-{theme}")
    reader.press("cabinet")
    reader.type("In place of cabinet", "horses")
    reader.until(lambda: reader.headline() != before, reason="the margin stays")
    assert reader.reads("horses") and reader.button("Undo")


def test_an_experiment_is_opened_by_its_file_and_answers(reader):
    open_files(reader, "minimal_pairs/attraction.tsv")
    reader.until(lambda: reader.opened() == "Your experiment", reason="Your experiment did not open")
    assert "48 of 48 pairs" in reader.headline()
    picture(reader, "tutorial_experiment")


def test_a_benchmark_is_asked_of_two_models(reader):
    reader.open("/zero_shot?" + urlencode({"model_name": ["english-small", "unigram-english"]}, doseq=True))
    reader.press("Run")
    assert reader.reads("unigram-english prefers")
    picture(reader, "tutorial_babylm")


def test_stereotypes_answer_with_their_definitions(reader):
    reader.go("Stereotypes")
    assert "SS 52.2" in reader.headline()
    picture(reader, "tutorial_stereotypes")


def test_gold_labels_and_two_files_of_answers_are_told_apart(reader):
    open_files(reader, "nli/assin.xml", "nli/assin_answers.csv", "nli/assin_answers_reverse.csv")
    reader.until(lambda: reader.opened() == "Entailment", reason="Entailment did not open")
    assert "assin answers" in reader.headline()
    picture(reader, "tutorial_entailment")


def test_a_lesson_is_played_before_it_is_held_with_a_class(reader):
    reader.go("Lesson")
    reader.press("The lamps are on the table.")
    reader.press("Show the answer")
    assert reader.reads("You ")
    picture(reader, "tutorial_lesson")
    reader.press("Hold it with a class")
    assert reader.button("Begin the class")

"""Training in a real browser: a model learns, its curve grows, it opens in Compare; what is left out is shown."""

from __future__ import annotations

import gzip
from itertools import islice
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.by import By

from pairlens.training.learning_curves import shipped_curves
from pairlens.training.watched_pairs import SAMPLE

SOME_SECONDS = "0.1"
SENTENCES = 1_000
"""Of our sample: enough to learn from in some seconds."""


def test_a_model_learns_and_opens_in_compare(visitor, tmp_path):
    text = tmp_path / "text.txt"
    with gzip.open(SAMPLE.with_name("english.txt.gz"), "rt") as lines:
        text.write_text("".join(islice(lines, SENTENCES)))
    asked = {"minutes": SOME_SECONDS, "corpus": "Path", "corpus_path": str(text)}
    visitor.open("/train?" + urlencode(asked))
    assert visitor.reads(f"{SENTENCES:,} sentences")
    visitor.type("Name of the model", "browsed")
    visitor.press("Start training")
    assert visitor.reads("browsed is learning")
    assert visitor.reads("What it writes")
    visitor.reads("Open in Compare")
    visitor.settle()
    assert "tokens, browsed gets" in visitor.text()
    chart = visitor.all('[data-testid="stVegaLiteChart"]')[0]
    marks = chart.find_elements(By.CSS_SELECTOR, 'path[aria-roledescription="point"]')
    assert len(marks) >= 4 * 2, "four groups of pairs, the first moment and the last"
    assert visitor.errors() == []
    visitor.press("Open in Compare")
    assert visitor.headline().startswith(("Prefers", "No preference", "Undecided"))
    assert "browsed" in visitor.text() and visitor.linked("model=browsed") and visitor.errors() == []


@pytest.mark.soak
def test_a_film_plays_to_its_end(visitor):
    visitor.open("/train?" + urlencode({"shown": f"Learning curves of {next(iter(shipped_curves()))}"}))
    visitor.press("Play")
    visitor.until(lambda: not visitor.button("Play").is_enabled(), reason="it does not begin")
    visitor.until(lambda: visitor.button("Play").is_enabled(), reason="it does not end")
    visitor.settle()
    assert visitor.errors() == [] and visitor.reads("One pair through the training")


@pytest.mark.soak
def test_a_filter_that_cannot_be_read_is_said_though_its_popover_is_closed_and_another_shows_what_goes(visitor):
    visitor.open("/train?drop=(")
    assert visitor.until(lambda: "not a regular expression" in " ".join(visitor.errors()), reason="nothing is said")
    visitor.press("Leave sentences out")
    visitor.type("Drop sentences that match", "reflexiv|himself")
    assert visitor.reads("left out")
    opened = '[data-testid="stPopoverBody"]'
    visitor.until(lambda: any("himself" in one.text for one in visitor.all(opened)), reason="no sentence is shown")

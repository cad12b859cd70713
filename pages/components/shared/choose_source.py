"""Where the sentences of an experiment come from: a sample, a file of the visitor's, typed lines, or a template."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.settings import ROOT
from core.store import uploads
from pages.components.shared import notices
from pages.components.shared.choose_reading import choose_reading
from pages.components.shared.experiment import Source
from pages.components.shared.forget import forget
from pages.components.shared.given_files import given_file
from pages.components.shared.make_items import make_items

SAMPLE, UPLOAD, TYPED, MADE = "Our samples", "Upload", "Type or paste", "Make items"
SAMPLES = ROOT / "data" / "samples" / "minimal_pairs"
_UPLOAD = "upload"
LINK = ("data", "sample", _UPLOAD, "typed", "template_of", "n", "seed", "items")
"""Query parameters that say which sentences."""
_LANGUAGES = {"fr": "French", "pt": "Portuguese"}
"""How the names of samples end that are not English."""
_OPENING = "attraction"
"""The sample that a visitor finds."""
_FIRST = """When the servant left, | the house | was dark. | It was late.
When the servant left | the house | was dark. | It was late."""
_HELP = (
    "One sentence per line, the expected one of each pair first, or a table copied from a spreadsheet with its "
    "column names. | between words parts a sentence into regions; # and a name before some pairs is their condition. "
    "With as many pairs below each #, the first ones are one item, the second ones another, and so on."
)


def choose_source(row: DeltaGenerator) -> Source | None:
    """A table of sentences, chosen in a row of the page; None, and what to do next, while nothing has been given."""
    with row:
        chosen = st.segmented_control(
            "1 · Data", (SAMPLE, UPLOAD, TYPED, MADE), default=SAMPLE, required=True, key="data", bind="query-params",
            on_change=forget,
        )  # fmt: skip
        if chosen == SAMPLE:
            return _sample()
    return _uploaded(row) if chosen == UPLOAD else {TYPED: _typed, MADE: make_items}[chosen]()


def samples() -> dict[str, Source]:
    """What ships with Pairlens, by what a visitor calls it; the one that opens the page comes first."""
    files = sorted(SAMPLES.glob("*.tsv"), key=lambda path: (path.stem != _OPENING, path.stem))
    named = {}
    for path in files:
        words = path.stem.split("_")
        language = words.pop() if words[-1] in _LANGUAGES else "en"
        title = " ".join(words) + (f" ({_LANGUAGES[language]})" if language in _LANGUAGES else "")
        named[title] = Source(path, language=language, ours=True)
    return named


def _sample() -> Source:
    known = samples()
    name = st.selectbox("Sample", list(known), key="sample", bind="query-params", width=220, on_change=forget)
    return known[str(name)]


def _uploaded(row: DeltaGenerator) -> Source | None:
    """The file of the link, else one that is uploaded; once there is one, the control is folded into the row."""
    label = "A table with one sentence, or one pair, per row: CSV, TSV, JSON lines or Excel; text also as .gz or .xz"
    asked = st.query_params.get_all(_UPLOAD)
    before = next((found for name in asked if (found := uploads.find(name))), None)
    folded = row.popover(notices.literal(before.name), icon=":material/upload_file:") if before else st.container()
    with folded, st.container(width=480 if before else "stretch"):
        path = given_file(label, "table", _UPLOAD, on_change=forget)
        if path and (before is None or path != before.path):
            st.rerun()  # for the name of the popover
    with row:
        return choose_reading(path) if path else None


def _typed() -> Source | None:
    with st.container(key="typed_lines"):
        text = st.text_area(
            "Sentences", _FIRST, key="typed", height="content", help=_HELP, bind="query-params",
            placeholder="The expected sentence\nThe unexpected sentence",
        )  # fmt: skip
    return Source(tuple((text or "").splitlines()))

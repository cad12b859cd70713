"""Where the sentences of an experiment come from: a sample, a file of the visitor's, typed lines, or a template."""

from __future__ import annotations

import re

import streamlit as st

from core.settings import ROOT, settings
from pages.components.shared import notices
from pages.components.shared.choose_reading import choose_reading
from pages.components.shared.experiment import Source
from pages.components.shared.forget import forget
from pages.components.shared.keep_uploads import keep_uploads
from pages.components.shared.make_items import make_items

SAMPLE, UPLOAD, TYPED, MADE = "Our samples", "Upload", "Type or paste", "Make items"
SAMPLES = ROOT / "data" / "samples" / "minimal_pairs"
LINK = ("data", "sample", "upload", "typed", "template_of", "n", "seed", "items")
"""Query parameters that say which sentences."""
_LANGUAGES = {"fr": "French", "pt": "Portuguese"}
"""How the names of samples end that are not English."""
_OPENING = "attraction"
"""The sample that a visitor finds."""
_FIRST = """When the servant left, | the house | was dark. | It was late.
When the servant left | the house | was dark. | It was late."""
_UPLOAD = re.compile(r"[0-9a-f]{16}/[^/\\\0]+")
"""What `core.store.uploads.keep` calls a file, below its folder."""
_HELP = (
    "One sentence per line, the expected one of each pair first, or a table copied from a spreadsheet with its "
    "column names. | between words parts a sentence into regions; # and a name before some pairs is their condition. "
    "With as many pairs below each #, the first ones are one item, the second ones another, and so on."
)


def choose_source() -> Source | None:
    """A table of sentences; None, and what to do next, while nothing has been given."""
    chosen = st.segmented_control(
        "1 · Data", (SAMPLE, UPLOAD, TYPED, MADE), default=SAMPLE, required=True, key="data", bind="query-params",
        on_change=forget,
    )  # fmt: skip
    return {SAMPLE: _sample, UPLOAD: _uploaded, TYPED: _typed, MADE: make_items}[chosen]()


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
    name = st.selectbox("Sample", list(known), key="sample", bind="query-params", width=300, on_change=forget)
    return known[str(name)]


def _uploaded() -> Source | None:
    label = "A table with one sentence, or one pair, per row: CSV, TSV, JSON lines or Excel; text also as .gz or .xz"
    file = st.file_uploader(label, key="table", on_change=forget)
    if file is not None:
        kept = keep_uploads([file])
        if kept is None:
            return None
        st.query_params["upload"] = str(kept.relative_to(settings().uploads))
        return choose_reading(kept)
    return _kept(st.query_params.get("upload", ""))


def _kept(upload: str) -> Source | None:
    """The file that a link names: only from among those that were uploaded here."""
    if not upload:
        return None
    path = settings().uploads / upload
    if not _UPLOAD.fullmatch(upload) or not path.is_file():
        notices.error("The file of this link was not uploaded to this machine: upload it above.")
        return None
    notices.write("Uploaded earlier: $name", "pl-quiet", name=path.name)
    return choose_reading(path)


def _typed() -> Source | None:
    with st.container(key="typed_lines"):
        text = st.text_area(
            "Sentences", _FIRST, key="typed", height="content", help=_HELP, bind="query-params",
            placeholder="The expected sentence\nThe unexpected sentence",
        )  # fmt: skip
    return Source(tuple((text or "").splitlines()))

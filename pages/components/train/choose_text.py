"""Which text a model learns from: our sample, a file of the visitor's, or one on this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.files.tables import PLAIN, ending
from core.training.watched_pairs import SAMPLE as PAIRS
from pages.components.shared import notices
from pages.components.shared.given_files import given_file
from pages.components.shared.rights import may_name_paths, path_of

SAMPLE, UPLOAD, PATH = "Our sample", "Upload", "Path"
TEXT = PAIRS.with_name("english.txt.gz")
_UPLOAD = "corpus_upload"
LINK = ("corpus", "corpus_path", "corpus_column", _UPLOAD)
_ABOUT = "Simple English sentences made from templates, for lessons: a model learns their grammar in minutes."
_LABEL = "Plain text, one sentence per line (.txt), or a table with a column of texts; also as .gz or .xz"


@dataclass(frozen=True, slots=True)
class Text:
    """A file; `column` is that of a table. `ours` is our sample, which has pairs of its own to watch."""

    path: Path
    column: str = "text"
    ours: bool = False


def choose_text() -> Text | None:
    """None, and what to do next, while nothing has been given."""
    sources = (SAMPLE, UPLOAD, PATH) if may_name_paths("corpus", PATH) else (SAMPLE, UPLOAD)
    chosen = st.segmented_control(
        "1 · Text", sources, default=SAMPLE, required=True, key="corpus", bind="query-params"
    )
    if chosen == SAMPLE:
        notices.write("$about", "pl-quiet", about=_ABOUT)
        return Text(TEXT, ours=True)
    path = given_file(_LABEL, "corpus_file", _UPLOAD) if chosen == UPLOAD else _typed()
    if path is None:
        return None
    if ending(path) in PLAIN:
        return Text(path)
    column = st.text_input("Column of the table", "text", key="corpus_column", bind="query-params")
    return Text(path, column.strip() or "text")


def _typed() -> Path | None:
    path = st.text_input(
        "A file on the machine that runs Pairlens", key="corpus_path", bind="query-params",
        placeholder="/home/me/corpus.txt.gz",
    )  # fmt: skip
    return path_of(path)

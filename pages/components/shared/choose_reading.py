"""How a table is read, where guessing went wrong: between columns, its characters, its quotation marks, its sheet."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal

import streamlit as st

from core.errors import InputError
from core.files.tables import ENCODINGS, PLAIN, Layout, ending, sheet_names
from pages.components.shared.experiment import Source

_DELIMITED = (".csv", ".tsv", ".tab", ".dat", *PLAIN)
_DELIMITERS = {"as guessed": "", "comma": ",", "semicolon": ";", "tab": "\t", "vertical bar": "|"}
_QUOTING = {"as guessed": "", "part of the text": "none", "around cells": "double"}
_ENCODINGS = {"as guessed": "", "UTF-8": "utf-8-sig", "UTF-16": "utf-16"}
_KEPT: Literal["session"] = "session"
_ENCODINGS |= {str(name): encoding for encoding, name in ENCODINGS.items()}


def choose_reading(path: Path) -> Source:
    """The file, read as guessed until somebody says otherwise."""
    sheets = []
    with suppress(InputError):  # said when the table is read
        sheets = sheet_names(path) if ending(path) == ".xlsx" else []
    if ending(path) not in _DELIMITED and len(sheets) < 2:
        return Source(path)
    with st.popover("Read as", icon=":material/table_view:"), st.container(width=320):
        if sheets:
            sheet = st.selectbox("Sheet", sheets, key=f"sheet_{path}", persist_state=_KEPT)
            return Source(path, Layout(sheet=sheet if sheet != sheets[0] else ""))
        delimiter = st.selectbox("Between columns", list(_DELIMITERS), key=f"delimiter_{path}", persist_state=_KEPT)
        quoting = st.selectbox("Quotation marks", list(_QUOTING), key=f"quoting_{path}", persist_state=_KEPT)
        encoding = st.selectbox("Characters", list(_ENCODINGS), key=f"encoding_{path}", persist_state=_KEPT)
    return Source(path, Layout(_DELIMITERS[str(delimiter)], _ENCODINGS[str(encoding)], _QUOTING[str(quoting)]))

"""How a file of delimited text is read, where guessing went wrong: what parts its columns, and its encoding."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

from core.files.tables import ENCODINGS, PLAIN, ending
from pages.components.shared.experiment import Source

_DELIMITED = (".csv", ".tsv", ".tab", ".dat", *PLAIN)
_DELIMITERS = {"as guessed": "", "comma": ",", "semicolon": ";", "tab": "\t", "vertical bar": "|"}
_ENCODINGS = {"as guessed": "", "UTF-8": "utf-8-sig", "UTF-16": "utf-16"}
_KEPT: Literal["session"] = "session"
_ENCODINGS |= {str(name): encoding for encoding, name in ENCODINGS.items()}


def choose_reading(path: Path) -> Source:
    """The file, read as guessed until somebody says otherwise."""
    if ending(path) not in _DELIMITED:
        return Source(path)
    with st.popover("Read as", icon=":material/table_view:"), st.container(width=320):
        delimiter = st.selectbox("Between columns", list(_DELIMITERS), key=f"delimiter_{path}", persist_state=_KEPT)
        encoding = st.selectbox("Characters", list(_ENCODINGS), key=f"encoding_{path}", persist_state=_KEPT)
    return Source(path, _DELIMITERS[str(delimiter)], _ENCODINGS[str(encoding)])

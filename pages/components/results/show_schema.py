"""The tables that a query sees: columns, types and what they mean, folded up table by table."""

from __future__ import annotations

import streamlit as st

from core.store.schema import SCHEMA
from pages.components.shared.notices import fill


def show_schema() -> None:
    """One line per table; a click opens its columns."""
    st.html('<div class="pl-schema">' + "".join(map(_table, SCHEMA)) + "</div>")


def _table(name: str) -> str:
    table = SCHEMA[name]
    rows = "".join(
        fill("<dt><code>$name</code> <small>$type</small></dt><dd>$meaning</dd>",
             name=column.name, type=column.type.lower(), meaning=column.meaning)
        for column in table.columns
    )  # fmt: skip
    summary = fill("<summary><code>$name</code> $about</summary>", name=name, about=table.about)
    return f"<details>{summary}<dl>{rows}</dl></details>"

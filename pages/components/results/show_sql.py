"""Ask the store in SQL: ready questions, an editor with the schema beside it, the answer, what was asked before."""

from __future__ import annotations

import streamlit as st

from core.store.sandbox import limits, why_off
from core.store.saved_queries import placeholders
from core.store.schema import SCHEMA
from pages.components.results.choose_question import OWN, choose_question, choose_values
from pages.components.results.show_sql_answer import show_history, show_sql_answer
from pages.components.results.sql_request import arrive, ask, at_once
from pages.components.shared import notices, resources
from pages.components.shared.notices import fill
from pages.components.shared.rights import is_shared


def show_sql() -> None:
    """Choose or write a query, see its answer."""
    if why := why_off(shared=is_shared()):
        notices.note(why)
        return
    arrive()
    if resources.store().runs().empty:
        notices.note("There are no results yet, so the tables are empty. Run a benchmark, or save sentences to "
                     "Results, and run the query again.")  # fmt: skip
    asked = choose_question()
    with st.container(key="sql"):  # on a phone the tables come last
        left, right = st.columns([3, 2], gap="large")
        with right:
            _show_schema()
        with left:
            sql = st.text_area("SELECT ...", key="sql_text", height=260, persist_state="session")
            values = choose_values(placeholders(sql), asked)
            name = asked.name if asked is not OWN and sql.strip() == asked.sql else ""
            if _press_ask() | at_once():
                ask(sql, values, name)
        show_sql_answer()
        show_history()


def _press_ask() -> bool:
    """The button, and what a query may do."""
    within = limits()
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button("Run query", type="primary", icon=":material/play_arrow:")
        notices.write(
            "Read-only. Limits: $rows rows and $seconds seconds; a longer answer is cut off, with a warning.",
            "pl-quiet", rows=f"{within.rows:,}", seconds=f"{within.seconds:g}",
        )  # fmt: skip
    return pressed


def _show_schema() -> None:
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

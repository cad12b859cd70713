"""The answer to a query as table and chart, with its downloads; while it is not there, a way to stop waiting."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.charts.store import MOST, answer_chart, columns_for, numeric
from core.files.exports import written
from core.store.saved_queries import SAVED_QUERIES
from pages.components.results.sql_request import SqlRequest, current, history, place
from pages.components.shared import notices
from pages.components.shared.file import File
from pages.components.shared.gathered import Part, gathered_downloads
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_menu
from pages.components.shared.show_table import show_table
from pages.components.shared.show_tabs import show_tabs

_PATIENCE_SECONDS = 0.7
_LOOK_SECONDS = 0.4
_LONGEST_LABEL = 80


def show_sql_answer() -> None:
    """What came of the last query."""
    asked = current()
    if asked is None:
        return
    if not asked.settle(_PATIENCE_SECONDS):
        st.fragment(_wait, run_every=_LOOK_SECONDS)(asked)
    elif asked.wrong:
        notices.error(asked.wrong)
    else:
        _show(asked)


def _wait(asked: SqlRequest) -> None:
    """Look again and again; Cancel ends the process."""
    assert asked.query
    if asked.query.done:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.write(
            "Running; stops after $most seconds at the latest.", "pl-quiet", most=f"{asked.query.limits.seconds:g}"
        )
        st.button("Cancel", key="sql_cancel", icon=":material/stop:", on_click=asked.query.cancel)


def _show(asked: SqlRequest) -> None:
    assert asked.answer
    frame, answer = asked.frame, asked.answer
    if answer.truncated:
        notices.warning(f"Truncated to the first {notices.counted(len(frame), 'row')}. Add conditions, or ask for "
                        "totals.")  # fmt: skip
    notices.write(
        "$rows, $seconds seconds",
        "pl-quiet",
        rows=notices.counted(len(frame), "row"),
        seconds=f"{answer.seconds:.2f}",
    )
    with gathered_downloads() as parts:
        show_tabs(
            {
                "Table": lambda: show_table(frame, alt="The answer, row by row"),
                "Chart": lambda: _show_chart(frame, SAVED_QUERIES[asked.name].chart if asked.name else ()),
            },
            key="sql_answer",
        )
    parquet = File("Parquet", partial(written, frame, ".parquet"), "answer.parquet")
    show_menu("answer", [Part("answer", lambda: frame), *parts], [parquet])


def _show_chart(frame: pd.DataFrame, chart: tuple[str, ...]) -> None:
    usual = columns_for(frame, chart)
    if usual is None or frame.empty:
        notices.note("A chart needs a column of numbers and another column.")
        return
    along, up = list(map(str, frame)), numeric(frame)
    with st.container(horizontal=True):
        x = st.selectbox(
            "Horizontal", along, along.index(usual[0]), key=f"sql_along_{'|'.join(along)}", persist_state="session"
        )
        y = st.selectbox("Vertical", up, up.index(usual[1]), key=f"sql_up_{'|'.join(along)}", persist_state="session")
    show_chart(answer_chart(frame, str(x), str(y)), "sql_chart")
    if len(frame) > MOST:
        notices.write("The first $most rows are drawn.", "pl-quiet", most=MOST)


def show_history() -> None:
    """What was asked in this browser session; a click asks it again."""
    if len(asked := history()) < 2:
        return
    with st.expander("Earlier queries in this session", icon=":material/history:"):
        for number, one in enumerate(asked):
            text = " ".join(one.sql.split())
            text = text if len(text) <= _LONGEST_LABEL else f"{text[:_LONGEST_LABEL]} ..."
            values = ", ".join(f"{name}={value}" for name, value in one.values.items())
            title = SAVED_QUERIES[one.name].title if one.name else text
            label = f"{title} ({values})" if values else title
            st.button(notices.literal(label), key=f"sql_again_{number}", type="tertiary", on_click=place, args=(one,))

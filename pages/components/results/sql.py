"""Ask the store in SQL: ready questions, an editor with the schema beside it, the answer, what was asked before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from textwrap import shorten

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, gathered_downloads, show_chart, show_menu
from pages.components.shared.notices import fill
from pages.components.shared.rights import is_shared
from pages.components.shared.tables import show_table, show_tabs
from pairlens.charts.store import answer_chart, columns_for, drawn, kinds_for, numeric, series_for
from pairlens.errors import PairlensError
from pairlens.files.exports import written
from pairlens.store.catalog import SCHEMA
from pairlens.store.sandbox import Answer, Query, limits, why_off
from pairlens.store.saved_queries import SAVED_QUERIES, Parameter, SavedQuery, choices, fingerprints, placeholders

_OWN = SavedQuery("", "Write your own", "Any SELECT over these tables. $name in a query becomes an input field.", "")
_OFFERED = {"": _OWN, **dict(sorted(SAVED_QUERIES.items(), key=lambda pair: pair[1].title))}
_PATIENCE_SECONDS = 0.7
_LOOK_SECONDS = 0.4
_HEIGHT = 320
_LONGEST_LABEL = 80
_FIRST = "select model, task, value, low, high\nfrom runs\norder by finished desc"
_LONGEST_HISTORY = 20
Values = dict[str, str | float]


def show_sql() -> None:
    if why := why_off(shared=is_shared()):
        notices.note(why)
        return
    _arrive()
    if resources.store().runs().empty:
        notices.note("There are no results yet, so the tables are empty. Run a benchmark, or save sentences to "
                     "Results, and run the query again.")  # fmt: skip
    name = st.selectbox(
        "Question", list(_OFFERED), key="sql_question", format_func=lambda name: _OFFERED[name].title,
        on_change=_fill, persist_state="session",
    )  # fmt: skip
    question, within = _OFFERED[str(name)], limits()
    notices.text(question.about, "pl-quiet")
    with st.container(key="sql"):  # on a phone the tables come last
        left, right = st.columns([3, 2], gap="large")
        with right, st.container(height=_HEIGHT, border=False):  # what is opened there moves nothing below
            st.html('<div class="pl-schema">' + "".join(map(_table, SCHEMA)) + "</div>")
        with left:
            sql = st.text_area("SELECT ...", key="sql_text", height=_HEIGHT - 150, persist_state="session")
            values = _choose_values(placeholders(sql), question)
            saved = question.name if question is not _OWN and sql.strip() == question.sql else ""
            with st.container(horizontal=True, vertical_alignment="center"):
                pressed = st.button("Run query", type="primary", icon=":material/play_arrow:")
                notices.write(
                    "Read-only. Limits: $rows rows and $seconds seconds; a longer answer is cut off, with a warning.",
                    "pl-quiet", rows=f"{within.rows:,}", seconds=f"{within.seconds:g}",
                )  # fmt: skip
            if pressed | bool(st.session_state.pop("sql_at_once", False)):
                _ask(sql, values, saved)
        latest = next(iter(_history()), None)
        if latest and not latest.settle(_PATIENCE_SECONDS):
            st.fragment(_wait, run_every=_LOOK_SECONDS)(latest)
        elif latest and latest.wrong:
            notices.error(latest.wrong)
        elif latest:
            _show_answer(latest)
        _show_history()


def _table(name: str) -> str:
    rows = "".join(
        fill("<dt><code>$name</code> <small>$type</small></dt><dd>$meaning</dd>",
             name=column, type=kind.lower(), meaning=meaning)
        for column, (kind, meaning) in SCHEMA[name]["columns"].items()
    )  # fmt: skip
    summary = fill("<summary><code>$name</code> $about</summary>", name=name, about=SCHEMA[name]["about"])
    return f"<details>{summary}<dl>{rows}</dl></details>"


def _fill() -> None:
    """Callback: the editor holds the question that was chosen; for one's own, what is there stays."""
    if chosen := SAVED_QUERIES.get(st.session_state["sql_question"]):
        st.session_state["sql_text"] = chosen.sql


def _choose_values(names: Sequence[str], query: SavedQuery) -> dict[str, str | float]:
    """A field for every parameter that the query names: as the ready question has it, else plain text."""
    if not names:
        return {}
    known = {parameter.name: parameter for parameter in query.parameters}
    order = [name for name in known if name in names] + [name for name in names if name not in known]
    values: dict[str, str | float] = {}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in order:
            chosen = {key: str(value) for key, value in values.items()}
            values[name] = _choose_value(known.get(name, Parameter(name, "text", name)), chosen)
    return values


def _choose_value(parameter: Parameter, chosen: dict[str, str]) -> str | float:
    key = f"sql_value_{parameter.kind}_{parameter.name}"
    linked = st.session_state.get("sql_given", {}).get(parameter.name)
    possible = choices(parameter, resources.store(), chosen)
    label = notices.literal(parameter.label)
    if possible:
        options = list(possible)
        if st.session_state.get(key, linked) in options:
            st.session_state[key] = st.session_state.get(key, linked)
        else:
            st.session_state.pop(key, None)
        return str(st.selectbox(label, options, key=key, format_func=possible.__getitem__, persist_state="session"))
    if key not in st.session_state:
        st.session_state[key] = str(parameter.default if linked is None else linked)
    text = st.text_input(label, key=key, persist_state="session")
    with notices.explained_errors():
        return parameter.typed(text)
    return text


def _wait(request: SqlRequest) -> None:
    """Look again and again; Cancel ends the process."""
    assert request.query
    if request.query.done:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.write(
            "Running; stops after $most seconds at the latest.", "pl-quiet", most=f"{request.query.limits.seconds:g}"
        )
        st.button("Cancel", key="sql_cancel", icon=":material/stop:", on_click=request.query.cancel)


def _show_answer(request: SqlRequest) -> None:
    assert request.answer
    frame, answer = request.frame, request.answer
    if answer.truncated:
        notices.warning(f"Truncated to the first {notices.counted(len(frame), 'row')}. Add conditions, or ask for "
                        "totals.")  # fmt: skip
    counts = {"rows": notices.counted(len(frame), "row"), "seconds": f"{answer.seconds:.2f}"}
    notices.write("$rows, $seconds seconds", "pl-quiet", **counts)
    with gathered_downloads() as parts:
        show_tabs(
            {
                "Table": lambda: show_table(frame, alt="The answer, row by row"),
                "Chart": lambda: _show_chart(frame, SAVED_QUERIES[request.name].chart if request.name else ()),
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
    columns, key = list(map(str, frame)), "|".join(map(str, frame))
    with st.container(horizontal=True):
        along = _one_of("By", columns, usual[0], f"sql_along_{key}")
        up = _one_of("Number", numeric(frame), usual[1], f"sql_up_{key}")
        several, apart = series_for(drawn(frame, along), along)
        series = _one_of("Series", ["", *several], apart, f"sql_series_{key}_{along}") if several else ""
        kinds = kinds_for(drawn(frame, along), along, series)
        kind = _one_of("Drawn as", kinds, kinds[0], f"sql_kind_{key}_{along}_{series}") if kinds[1:] else kinds[0]
    show_chart(answer_chart(frame, along, up, series, kind), "sql_chart")
    if len(frame) > (most := len(drawn(frame, along))):
        notices.write("The first $most rows are drawn.", "pl-quiet", most=most)


def _one_of(label: str, options: Sequence[str], first: str, key: str) -> str:
    """One of these columns or kinds; an empty one is none."""
    chosen = st.selectbox(
        label, options, options.index(first), key=key, format_func=lambda one: one or "none", persist_state="session"
    )
    return str(chosen)


def _show_history() -> None:
    """What was asked in this browser session; a click asks it again."""
    if len(history := _history()) < 2:
        return
    with st.expander("Earlier queries in this session", icon=":material/history:"):
        for number, one in enumerate(history):
            values = ", ".join(f"{name}={value}" for name, value in one.values.items())
            title = (
                SAVED_QUERIES[one.name].title if one.name else shorten(one.sql, _LONGEST_LABEL, placeholder=" ...")
            )
            label = f"{title} ({values})" if values else title
            st.button(
                notices.literal(label), key=f"sql_again_{number}", type="tertiary", on_click=_place, args=(one,)
            )


@dataclass
class SqlRequest:
    """A query, the values of its parameters, and the ready question that it is, if any; then what came of it."""

    sql: str
    values: Values
    name: str
    query: Query | None = None
    answer: Answer | None = None
    frame: pd.DataFrame = field(default_factory=pd.DataFrame)
    wrong: str = ""

    def settle(self, seconds: float) -> bool:
        """Wait so long for the answer; whether it is there, or why there is none."""
        if self.query and not self.answer and not self.wrong:
            try:
                self.answer = self.query.answer(seconds)
                self.frame = self.answer.frame()
            except TimeoutError:
                return False
            except PairlensError as error:
                self.wrong = str(error)
        return True


def _arrive() -> None:
    """Take the query from the link, or the usual first one, where the editor is not there yet, and ask it at once."""
    if "sql_text" in st.session_state:
        return
    link = st.query_params
    name = link.get("question", "")
    parameters = dict(pair.partition("=")[::2] for pair in link.get_all("parameters"))
    chosen = SAVED_QUERIES.get(name)
    text = chosen.sql if chosen else link.get("query", _FIRST)
    _place(SqlRequest(text, dict(parameters), name if chosen else ""))


def _place(request: SqlRequest) -> None:
    """Put a query into the editor and its values into their fields; it is asked as soon as they are there."""
    for key in [key for key in st.session_state if str(key).startswith("sql_value_")]:
        del st.session_state[key]
    st.session_state["sql_text"] = request.sql
    st.session_state["sql_question"] = request.name
    st.session_state["sql_given"] = request.values
    st.session_state["sql_at_once"] = True


def _ask(sql: str, values: Values, name: str) -> None:
    """Start the query, and put it into the link and the history; one that is still under way ends."""
    if (before := next(iter(_history()), None)) and before.query:
        before.query.cancel()
    request = SqlRequest(sql, values, name)
    try:
        store = resources.store()
        only = fingerprints(SAVED_QUERIES[name], store, values) if name else None
        request.query = Query(store, sql, values, only=only)
    except PairlensError as error:
        request.wrong = str(error)
    st.session_state["sql_history"] = [request, *_history()][:_LONGEST_HISTORY]
    for key in ("question", "query", "parameters"):
        st.query_params.pop(key, None)
    st.query_params["question" if name else "query"] = name or sql
    st.query_params["parameters"] = [f"{parameter}={value}" for parameter, value in values.items()]


def _history() -> list[SqlRequest]:
    return list(st.session_state.get("sql_history", []))

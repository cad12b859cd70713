"""What a visitor asks in SQL: from the link to the process that answers, and into this session's history."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd
import streamlit as st

from core.errors import PairlensError
from core.store.sandbox import Answer, Query
from core.store.saved_queries import SAVED_QUERIES, fingerprints
from pages.components.shared import resources

FIRST = "select model, task, value, low, high\nfrom runs\norder by finished desc"
_LONGEST_HISTORY = 20
Values = dict[str, str | float]


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


def arrive() -> None:
    """Take the query from the link, or the usual first one, where the editor is not there yet."""
    if "sql_text" in st.session_state:
        return
    link = st.query_params
    name = link.get("question", "")
    given = dict(pair.partition("=")[::2] for pair in link.get_all("parameters"))
    chosen = SAVED_QUERIES.get(name)
    text = chosen.sql if chosen else link.get("query", FIRST)
    place(SqlRequest(text, dict(given), name if chosen else ""), at_once=bool(chosen or "query" in link))


def place(asked: SqlRequest, *, at_once: bool = True) -> None:
    """Put a query into the editor and its values into their fields; `at_once` asks it as soon as they are there."""
    for key in [key for key in st.session_state if str(key).startswith("sql_value_")]:
        del st.session_state[key]
    st.session_state["sql_text"] = asked.sql
    st.session_state["sql_question"] = asked.name
    st.session_state["sql_given"] = asked.values
    st.session_state["sql_at_once"] = at_once


def ask(sql: str, values: Values, name: str) -> None:
    """Start the query, and put it into the link and the history; one that is still under way ends."""
    if (before := current()) and before.query:
        before.query.cancel()
    asked = SqlRequest(sql, values, name)
    try:
        store = resources.store()
        only = fingerprints(SAVED_QUERIES[name], store, values) if name else None
        asked.query = Query(store, sql, values, only=only)
    except PairlensError as error:
        asked.wrong = str(error)
    st.session_state["sql_asked"] = asked
    st.session_state["sql_history"] = [asked, *history()][:_LONGEST_HISTORY]
    for key in ("question", "query", "parameters"):
        st.query_params.pop(key, None)
    st.query_params["question" if name else "query"] = name or sql
    st.query_params["parameters"] = [f"{parameter}={value}" for parameter, value in values.items()]


def at_once() -> bool:
    """Whether a link or the history has just put a query into the editor, which nobody has asked yet."""
    return bool(st.session_state.pop("sql_at_once", False))


def current() -> SqlRequest | None:
    """The query that was asked last in this session."""
    return st.session_state.get("sql_asked")


def history() -> list[SqlRequest]:
    """The queries of this session, the last one first."""
    return list(st.session_state.get("sql_history", []))

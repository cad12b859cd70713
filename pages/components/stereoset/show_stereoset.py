"""Answers to StereoSet in the frame of every result; triples can be chosen by bias type and term."""

from collections.abc import Iterable, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from pages.components.shared import notices
from pages.components.shared.datasets import offer_whole_set, say_on_published
from pages.components.shared.link import open_in_compare
from pages.components.shared.show_result import Views, show_evidence, show_findings
from pages.components.shared.tables import choose_detail
from pairlens.charts.stereoset import TERM
from pairlens.policies import Policy
from pairlens.studies.stereoset.answers import Answer
from pairlens.studies.stereoset.result import common_kinds, result
from pairlens.studies.stereoset.tables import pair_of
from pairlens.tasks import TASKS
from pairlens.types import Model

ALL = "All"
LINK = OF_TYPE, OF_TERM = "bias_type", "term"


def show_stereoset(answers: Sequence[Answer], kind: str, models: Sequence[Model] = ()) -> None:
    """Everything about models that were asked about the same examples; at least one. `models` are those that were.

    Of that `kind` of examples, if all have been asked about it.
    """
    detail = choose_detail({answer.name: answer for answer in answers}, "details_of_stereoset")
    kinds = common_kinds(answers)
    shown = result(answers, kind if kind in kinds else kinds[0], detail)
    show_findings(shown)
    if detail.sample:
        say_on_published(models, "stereoset", "examples")
        offer_whole_set(TASKS["stereoset"])
    views = Views(
        clicks={"terms": _take_click},
        filters={"triples": _choose_triples},
        rows={"triples": partial(_open_pair, detail)},
        opened=("triples",),
    )
    show_evidence(shown, views)


def _take_click() -> None:
    """Callback: the triples of the term that was clicked, after a click beside all of them those of all."""
    points = st.session_state["terms_chart"].selection.get(TERM, [])
    clicked = [point["term"] for point in points if "term" in point]
    st.session_state[OF_TYPE], st.session_state[OF_TERM] = ALL, clicked[0] if clicked else ALL
    st.session_state["tab_stereoset"] = "Triples"


def _choose_triples(rows: pd.DataFrame) -> pd.DataFrame:
    """All triples of a task, or those of one bias type or term."""
    with st.container(horizontal=True):
        bias_type = _choose("Bias type", rows["bias_type"].unique(), OF_TYPE)
        rows = rows if bias_type == ALL else rows[rows["bias_type"] == bias_type]
        term = _choose("Term", sorted(rows["term"].unique()), OF_TERM)
        rows = rows if term == ALL else rows[rows["term"] == term]
    notices.write(
        "$n. Only the order of the three scores counts. Choose one to open its pair in Compare.",
        "pl-quiet", n=notices.counted(len(rows), "triple"),
    )  # fmt: skip
    return rows


def _choose(label: str, choices: Iterable[str], key: str) -> str:
    """One of them, in the link as `key`, or all: also where what was chosen is not among them any more."""
    listed = [ALL, *choices]
    if st.session_state.get(key, ALL) not in listed:
        st.session_state[key] = ALL
    return str(st.selectbox(label, listed, key=key, bind="query-params", width=220))


def _open_pair(detail: Answer, row: pd.Series) -> None:
    recipe = detail.requests[0].planned.recipe if detail.requests else None
    open_in_compare(*pair_of(row), recipe.model.name if recipe else "", recipe.policy if recipe else Policy())

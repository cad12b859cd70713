"""Data sets x models: the findings of one evaluation, and every number with classes and majority beside it."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.components.nli.choose_data import offer_public
from pages.components.nli.results import NliResult
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.datasets import say_on_published
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.show_result import show_findings
from pairlens.charts.nli import CELL, result_grid
from pairlens.charts.style import in_language
from pairlens.files.labels import codes
from pairlens.results.result import Result
from pairlens.studies.nli.result import result as shown
from pairlens.types import Model

_CHART = "nli_results"
CHOSEN = "nli_cell"
TRAINED = "trained"


def show_results(say: Words, known: Sequence[NliResult], models: Sequence[Model]) -> Result | None:
    """The findings of the chosen evaluation, which is returned, and the table of all; None if there is none.

    `models` are those on the page: beside a number of our own samples stands what they reach on published sets.
    """
    if not known:
        return None
    if any(one.report.overlaps for one in known) and st.toggle(
        say("The models were trained on the sets that share pairs"), key=TRAINED, bind="query-params",
        help=say("The headline is then that of the pairs which these sets do not hold."),
    ):  # fmt: skip
        known = [replace(one, report=one.report.of_trained) for one in known]
    names = {f"{one.data.name} · {one.by.name}": one for one in known}
    chosen = st.session_state.get(CHOSEN) or st.query_params.get(CHOSEN, "")
    if chosen not in names:
        st.session_state[CHOSEN] = chosen = next(iter(names))
    if len(names) > 1:
        st.selectbox(say("Details of"), list(names), key=CHOSEN, bind="query-params", width=420)
    result = shown(names[chosen].judged, say)
    show_findings(result, say)
    if names[chosen].data.like:
        say_on_published(models, "nli", "pairs", say)
        offer_public(say)
    cells = _cells(say, known)
    if len(cells) > 1:
        _show_grid(say, cells, len(known))
    return result


def _show_grid(say: Words, cells: pd.DataFrame, n: int) -> None:
    titles = say("Data sets"), say("Answers of")
    finding = say("Macro-F1 of {n} evaluations, by data set and model; those with other classes are apart.", n=n)
    chart = in_language(result_grid(cells, finding, titles), say)
    show_chart(chart, _CHART, _take_click)
    about = say(
        "Each cell: macro-F1, that of always answering the commonest class, the number of "
        "classes and of pairs. Blue is above that baseline, orange below; compare colours, "
        "and numbers only within a block: other classes are another question."
    )
    notices.text(about, "pl-quiet")
    show_downloads("nli-results", cells, chart, translate=say)


def _take_click() -> None:
    for point in st.session_state[_CHART].selection.get(CELL, []):
        if {"row", "column"} <= point.keys():
            st.session_state[CHOSEN] = f"{point['row'].partition(' — ')[0]} · {point['column']}"


def _cells(say: Words, known: Sequence[NliResult]) -> pd.DataFrame:
    """A row per evaluation with labels: of pairs that may have been seen in training with these and without them."""
    rows = []
    for one in known:
        for name, evaluation in one.report.rows.items():
            about = one.data.name + ("" if evaluation is one.report.everything else f" — {say(name)}")
            n, f1, majority = len(evaluation.classes), evaluation.macro_f1, evaluation.majority.macro_f1
            text = say(
                "{f1:.3f}\nmajority {majority:.3f}\n{n_classes} classes · n {n:,}",
                f1=f1, majority=majority, n_classes=n, n=evaluation.n,
            )  # fmt: skip
            classes = say("{n} classes: {codes}", n=n, codes=codes(evaluation.classes, " "))
            if evaluation.n:
                rows.append((classes, n, about, one.by.name, f1, f1 - majority, text))
    columns = ["classes", "n_classes", "row", "column", "value", "gain", "shown"]
    return pd.DataFrame(rows, columns=columns).sort_values("n_classes", ascending=False, kind="stable")

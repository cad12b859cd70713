"""Data sets x models: every number with its classes, its n and the majority beside it; and the answer in words."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.charts.nli import CELL, result_grid
from core.files.labels.systems import codes
from core.studies.nli.evaluation import Evaluation
from pages.components.nli.results import NliResult
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart

_CHART = "nli_results"
CHOSEN = "nli_cell"


def show_results(say: Words, known: Sequence[NliResult]) -> NliResult | None:
    """The headline, the table, and which of its cells is chosen; None if nothing was evaluated."""
    if not known:
        return None
    names = {f"{one.data.name} · {one.by.name}": one for one in known}
    if st.session_state.get(CHOSEN) not in names:
        st.session_state[CHOSEN] = next(iter(names))
    chosen = names[st.session_state[CHOSEN]]
    _headline(say, chosen)
    cells = _cells(say, known)
    if len(cells):
        titles = say("data_sets"), say("answers_of")
        finding = say("results_finding", n=len(known))
        show_chart(result_grid(cells, finding, titles), _CHART, _take_click)
        notices.write("$colour", "pl-quiet", colour=say("results_colour"))
    st.selectbox(say("looked_at"), list(names), key=CHOSEN, width=420)
    return names[st.session_state[CHOSEN]]


def _take_click() -> None:
    """Callback: a click on a cell chooses it."""
    for point in st.session_state[_CHART].selection.get(CELL, []):
        if {"row", "column"} <= point.keys():
            st.session_state[CHOSEN] = f"{point['row'].partition(' — ')[0]} · {point['column']}"


def _headline(say: Words, one: NliResult) -> None:
    found = one.report.headline
    if not found.n:
        said = say("no_label", data=one.data.name)
        if one.report.everything.n:
            said = say("all_contaminated", data=one.data.name, other=_others(one))
        notices.write("<strong>$who</strong>: $said", "pl-second", who=one.by.name, said=said)
        _relatedness(say, found)
        return
    said = say("headline", f1=f"{found.macro_f1:.3f}", data=one.data.name)
    notices.write("<strong>$who</strong>: $said", "pl-second", who=one.by.name, said=said)
    low, high = found.macro_f1_interval
    of_macro = say(
        "of_macro", low=f"{low:.3f}", high=f"{high:.3f}", classes=codes(found.classes, " "), n=f"{found.n:,}",
        majority=f"{found.majority.macro_f1:.3f}",
    )  # fmt: skip
    low, high = found.accuracy_interval
    of_accuracy = say(
        "of_accuracy", accuracy=_percent(found.accuracy), low=_percent(low), high=_percent(high),
        majority=_percent(found.majority.accuracy), mcc=f"{found.mcc:.3f}",
    )  # fmt: skip
    for sentence in (of_macro, of_accuracy):
        notices.write("$sentence", "pl-quiet", sentence=sentence)
    _relatedness(say, found)
    _warn(say, one)


def _relatedness(say: Words, found: Evaluation) -> None:
    related = found.relatedness
    if related.n:
        said = say("of_relatedness", pearson=f"{related.pearson:.3f}", mse=f"{related.mse:.2f}", n=f"{related.n:,}")
        notices.write("$sentence", "pl-quiet", sentence=said)


def _warn(say: Words, one: NliResult) -> None:
    """What the numbers leave out, and pairs that may have been seen in training."""
    if left_over := sum(map(len, one.report.everything.unmatched.values())):
        notices.warning(say("not_counted", n=f"{left_over:,}"))
    if one.report.clean:
        seen = len(set().union(*(overlap.ids for overlap in one.report.overlaps)))
        notices.warning(say("contaminated", n=f"{seen:,}", other=_others(one)))
    elif one.report.unchecked:
        notices.warning(say.of(one.report.unchecked))


def _others(one: NliResult) -> str:
    return " / ".join(overlap.other for overlap in one.report.overlaps)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}\u00a0%"


def _cells(say: Words, known: Sequence[NliResult]) -> pd.DataFrame:
    """One row per evaluation: where pairs may have been seen in training, all of them and those that were not.

    Evaluations without any label have none.
    """
    rows = []
    for one in known:
        for name, found in one.report.rows.items():
            about = one.data.name if found is one.report.everything else f"{one.data.name} — {_without(say, name)}"
            if found.n:
                rows.append(_cell(say, about, one.by.name, found))
    return pd.DataFrame(rows).sort_values("n_classes", ascending=False, kind="stable") if rows else pd.DataFrame()


def _without(say: Words, name: str) -> str:
    return say("without", other=name.removeprefix("without pairs that are in "))


def _cell(say: Words, data: str, model: str, found: Evaluation) -> dict[str, object]:
    n_classes = len(found.classes)
    return {
        "classes": say("classes", n=n_classes, codes=codes(found.classes, " ")),
        "n_classes": n_classes,
        "row": data,
        "column": model,
        "value": found.macro_f1,
        "gain": found.macro_f1 - found.majority.macro_f1,
        "shown": f"{found.macro_f1:.3f}\n{say('cell_majority', value=f'{found.majority.macro_f1:.3f}')}\n"
        f"{say('cell_classes', n=n_classes)} · n {found.n:,}",
    }

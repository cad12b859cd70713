"""The table of label systems: how a model with some labels is judged on data with others, cell by cell."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.nli import CELL, rule_grid
from core.files.labels import MODES, SYSTEMS, Cell, cell
from core.files.labels.systems import codes
from core.studies.nli.examples import Worked, worked
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart

DATA, MODEL, MODE = "data_system", "model_system", "mode"
_CHART = "nli_rules"


def choose_mode(say: Words) -> str:
    """How strictly an entailment in both directions is taken; shared in the link."""
    asked = st.query_params.get(MODE, "")
    return str(
        st.segmented_control(
            say("mode"), list(MODES), default=asked if asked in MODES else next(iter(MODES)), required=True,
            key=f"nli_{MODE}", format_func=lambda name: say(f"mode_{name}"), on_change=_share_mode,
            help="  \n".join(say(f"mode_{name}_help") for name in MODES),
        )
    )  # fmt: skip


def _share_mode() -> None:
    st.query_params[MODE] = st.session_state[f"nli_{MODE}"]


def show_rules(say: Words, mode: str) -> None:
    """The table, and under it the chosen cell: in words, in symbols, on three pairs."""
    titles = [system.title for system in SYSTEMS.values()]
    names = dict(zip(titles, SYSTEMS, strict=True))
    with st.container(horizontal=True):
        data = st.selectbox(say("labels_of_data"), titles, key=DATA, bind="query-params", width=190)
        model = st.selectbox(
            say("labels_of_model"), titles, index=titles.index(SYSTEMS["sick"].title), key=MODEL, bind="query-params",
            width=190,
        )  # fmt: skip
    chart = rule_grid(
        _cells(say, mode), say("rules_finding"), (say("labels_of_data"), say("labels_of_model")), (data, model)
    )
    show_chart(chart, _CHART, _take_click)
    _explain(say, cell(names[data], names[model], mode))


def _take_click() -> None:
    """Callback: a click on a cell chooses it."""
    for point in st.session_state[_CHART].selection.get(CELL, []):
        if {"row", "column"} <= point.keys():
            st.session_state[DATA], st.session_state[MODEL] = point["row"], point["column"]


def _cells(say: Words, mode: str) -> pd.DataFrame:
    rows = []
    for data in SYSTEMS.values():
        for model in SYSTEMS.values():
            rules = cell(data.name, model.name, mode)
            rows.append(
                {
                    "row": data.title,
                    "column": model.title,
                    "classes": codes(rules.classes, " ") + (" ⇄" if rules.needs_reverse else ""),
                    "kind": say(f"kind_{_kind(rules)}"),
                    "rule": rules.prediction_rule,
                }
            )
    return pd.DataFrame(rows)


def _kind(rules: Cell) -> str:
    if rules.collapses:
        return "merged"
    if rules.needs_reverse:
        return "both"
    return "same" if all(rule.forward == (rule.label,) for rule in rules.rules) else "either"


def _explain(say: Words, rules: Cell) -> None:
    for sentence in (say.gold_rule(rules), *say.answer_rules(rules)):
        notices.write("$sentence", sentence=sentence)
    symbols = rules.prediction_rule if rules.prediction_rule != "unchanged" else say("unchanged")
    if rules.gold_rule != "unchanged":
        symbols = f"{rules.gold_rule} · {symbols}"
    notices.write("$symbols", "pl-piece pl-quiet", symbols=symbols.replace(" or ", say("or")))
    if rules.reason:
        notices.note(say("collapsed", classes=codes(rules.classes, ", ")))
    st.html("".join(_example(say, one) for one in worked(rules)))


def _example(say: Words, one: Worked) -> str:
    """A pair, its gold label, and what a model that is right says."""
    said = say.label(one.forward) + (f" / {say.label(one.reverse)}" if one.reverse else "")
    mark = "✓" if one.answer == one.gold_class else "✗"
    return notices.fill(
        '<div class="pl-pair"><p class="pl-form">$premise<br>$hypothesis</p>'
        '<p class="pl-quiet">$gold <b>$label</b> → <b>$gold_class</b> · $model $said → <b>$answer</b> $mark</p>'
        "</div>",
        premise=f"a  {one.example.premise}", hypothesis=f"b  {one.example.hypothesis}", gold=say("gold"),
        label=say.label(one.gold), gold_class=say.label(one.gold_class), model=say("model_says"), said=said,
        answer=say.label(one.answer), mark=mark,
    )  # fmt: skip

"""How often models are right group by group: by attractors, distance, number, and beside the surface heuristics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.analysis import agreement_wording as wording
from core.analysis.agreement import in_group
from core.charts.agreement import GROUP, accuracy_by_group, accuracy_of_heuristics
from pages.components.agreement.results import AgreementResult
from pages.components.agreement.show_items import show_item_table
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.link import keep_in_link
from pages.components.shared.tables import show_table

CLICKED = "group"
_TITLES = {
    "attractors": "Attractors",
    "distance": "Words from head to verb",
    "heuristics": "Heuristics that give the right number",
    "number": "Number of the head",
    "inverted": "Subject after the verb",
    "type": "Sentences",
}
_EXPLAINED = {
    "attractors": wording.ATTRACTOR,
    "distance": "How many words stand between the head and the verb.",
    "heuristics": "The control: where no heuristic gives the answer, the model has to know the head.",
}
_CHOOSERS = {"always_singular", "frequency", "cls_noun"}
"""Columns of baselines."""
_PERCENT = {
    "share": "Right (share)", "low": "95 % from", "high": "95 % to", "always_singular": "Always the singular",
    "frequency": "The more frequent form", "cls_noun": "The last noun", "model": "The model on the same",
    "model_share": "The model where it is wrong", "model_low": "95 % from (there)", "model_high": "95 % to (there)",
}  # fmt: skip
_PLAIN = {
    "model_name": "Model", "n": "Items", "right": "Right", "contrasts": "Pairs of forms", "ties": "Ties",
    "title": "Heuristic", "none": "Predicts nothing", "n_wrong": "Wrong in", "model_right": "Model right there",
}  # fmt: skip


def show_groups(shown: Sequence[AgreementResult], *columns: str) -> None:
    """A chart and a table for each of these groups of which the data say something."""
    known = {column: list(_table(shown[0], column)["group"]) for column in columns}
    for column, groups in known.items():
        if len(groups) > 1 or (groups and len(columns) == 1):
            _show_groups(shown, column)
        elif groups:
            notices.write("$what: $group, in all items.", "pl-quiet", what=_TITLES[column], group=groups[0])
    if not any(known.values()):
        said = " or ".join(_TITLES[column].lower() for column in columns)
        notices.note(f"These files do not say anything about this ({said}); a .tab file beside the sentences does.")


def show_heuristics(shown: Sequence[AgreementResult]) -> None:
    """The control, by how many heuristics give the right number; and how often each is right alone."""
    show_groups(shown, "heuristics")
    first = shown[0].answers.numbers.heuristics
    if len(first):
        finding = wording.misled(first)
        chart = accuracy_of_heuristics({one.name: one.answers.numbers for one in shown}, finding)
        notices.write(
            "Grey: how often each heuristic alone is right. Coloured: how often the model is right where that one is "
            "wrong. Dashed: the model on all items.", "pl-quiet",
        )  # fmt: skip
        show_chart(chart, "agreement_heuristics")
        tables = {one.name: one.answers.numbers.heuristics.drop(columns="heuristic") for one in shown}
        _show_table("choosers", tables, {}, chart, shown[0].key)


def _show_groups(shown: Sequence[AgreementResult], column: str) -> None:
    tables = {one.name: _table(one, column) for one in shown}
    finding = wording.by_group(_table(shown[0], column), _TITLES[column].lower())
    known = ["$explained"] if column in _EXPLAINED else []
    if _CHOOSERS & {*tables[shown[0].name].dropna(axis=1, how="all")}:
        known.append("$choosers")
    if known:
        notices.write(" ".join(known), "pl-quiet", explained=_EXPLAINED.get(column, ""), choosers=wording.CHOOSERS)
    chart = accuracy_by_group(tables, _TITLES[column], finding)
    key = f"agreement_{column}_{'_'.join(one.key for one in shown)}"
    show_chart(chart, key, lambda: _take_click(key, column))
    of, _, group = st.query_params.get(CLICKED, "").partition(":")
    if of == column and group in set(_table(shown[0], column)["group"]):
        notices.write("$who. Only $what: $group.", who=shown[0].name, what=_TITLES[column].lower(), group=group)
        show_item_table(shown[0], in_group(shown[0].answers.items, column, group), f"{column}_{group}")
    _show_table(column, tables, {"group": _TITLES[column]}, chart, shown[0].key)


def _take_click(key: str, column: str) -> None:
    """Callback: the group that was clicked is named in the link, so that its items are there again."""
    clicked = [point["group"] for point in st.session_state[key].selection.get(GROUP, []) if "group" in point]
    keep_in_link(CLICKED, f"{column}:{clicked[0] if clicked else ''}", unless=not clicked)


def _table(one: AgreementResult, column: str) -> pd.DataFrame:
    table: pd.DataFrame = getattr(one.answers.numbers, f"by_{column}")
    return table


def _show_table(
    name: str, tables: Mapping[str, pd.DataFrame], titles: Mapping[str, str], chart: alt.LayerChart, key: str
) -> None:
    """The rows of all models, and their downloads."""
    rows = pd.concat(tables, names=["model_name"]).reset_index(0).dropna(axis=1, how="all")
    shares = {column: st.column_config.NumberColumn(title, format="percent") for column, title in _PERCENT.items()}
    shown = rows if len(tables) > 1 else rows.drop(columns="model_name")
    show_table(shown, column_config={**_PLAIN, **titles, **shares})
    show_downloads(f"{key}-{name}", rows, chart)

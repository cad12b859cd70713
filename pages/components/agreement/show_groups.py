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
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_TITLES = {
    "attractors": "Attractors",
    "distance": "Words from head to verb",
    "heuristics": "Heuristics that already give the right number",
    "number": "Number of the head",
    "inverted": "Subject after the verb",
    "type": "Sentences",
}
_EXPLAINED = {
    "attractors": f"{wording.ATTRACTOR}.",
    "heuristics": "The control: where no heuristic gives the answer, the model has to know the head.",
}
_PERCENT = {
    "share": "Right (share)", "low": "95 % from", "high": "95 % to", "always_singular": "Always the singular",
    "frequency": "The more frequent form", "cls_noun": "The last noun", "model": "The model on the same",
    "model_share": "The model where it is wrong", "model_low": "95 % from (there)", "model_high": "95 % to (there)",
}  # fmt: skip
_PLAIN = {
    "model_name": "Model", "n": "Items", "right": "Right", "contrasts": "Pairs of forms", "ties": "Ties",
    "title": "Chooser", "none": "Predicts nothing", "n_wrong": "Wrong in", "model_right": "There the model is right",
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
            "Grey: how often a chooser that knows nothing but this would be right. Coloured: how often the model is "
            "where that chooser is wrong. Dashed: the model on all items.", "pl-quiet",
        )  # fmt: skip
        show_chart(chart, "agreement_heuristics")
        tables = {one.name: one.answers.numbers.heuristics.drop(columns="heuristic") for one in shown}
        _show_table("choosers", tables, {}, chart, shown[0].key)


def _show_groups(shown: Sequence[AgreementResult], column: str) -> None:
    tables = {one.name: _table(one, column) for one in shown}
    finding = wording.by_group(_table(shown[0], column), _TITLES[column].lower())
    chart = accuracy_by_group(tables, _TITLES[column], finding)
    event = st.altair_chart(chart, on_select="rerun", key=f"agreement_{column}_{'_'.join(one.key for one in shown)}")
    if column in _EXPLAINED:
        notices.write("$explained", "pl-quiet", explained=_EXPLAINED[column])
    clicked = [point["group"] for point in event.selection.get(GROUP, []) if "group" in point]
    for group in clicked[:1]:
        notices.write("$who. Only $what: $group.", who=shown[0].name, what=_TITLES[column].lower(), group=group)
        show_item_table(shown[0], in_group(shown[0].answers.items, column, group), f"{column}_{group}")
    _show_table(column, tables, {"group": _TITLES[column]}, chart, shown[0].key)


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

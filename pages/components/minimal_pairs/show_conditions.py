"""An experiment by condition: means with their intervals, how often the expected sentence wins, and the tests."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.by_cond import cells
from core.analysis.experiment import Columns
from core.charts.experiment import by_condition, quantity_in
from core.studies.experiment import drawing
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import few_items, has_pairs, unit_of
from pages.components.shared import notices
from pages.components.shared.number_columns import numbers_in
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_COLUMNS = {
    "cell": "Condition",
    "n": "Pairs",
    "n_items": "Items",
    "acc": "",
    "acc_low": st.column_config.NumberColumn("95 % from", format="percent"),
    "acc_high": st.column_config.NumberColumn("to", format="percent"),
    "ties": "Ties",
    **dict.fromkeys(("expected", "unexpected", "diff"), ""),
    **{
        name: st.column_config.NumberColumn(title, format="%.3g")
        for name, title in (
            ("diff_low", "95 % from "), ("diff_high", "to "), ("p_t", "p (paired t)"), ("p_holm", "p (Holm)"),
            ("p_wilcoxon", "p (signed rank)"), ("dz", "Effect (dz)"),
        )
    },
}  # fmt: skip


def show_conditions(findings: Findings, model: str, finding: str) -> None:
    """One row per condition: a chart of the two means, and a table of differences and tests."""
    design, analysis = findings.design, findings.analysis
    paired, unit = has_pairs(design), unit_of(findings)
    means = drawing.of_model(findings.means, model).assign(
        cell=lambda rows: drawing.cell_names(rows, design.columns.conditions)
    )
    sides = (design.columns.expected, design.columns.unexpected)
    chart = by_condition(means, finding, quantity_in(unit, analysis.measure), sides)
    show_chart(chart, f"conditions_{model}")
    if not paired:
        over = "items" if "item" in design.sentences else "sentences"
        notices.write(
            "Means and 95 % intervals over $over. What can be tested is under Interaction.", "pl-quiet", over=over
        )
        names = {"cell": "Condition", "comparison": "Comparison", "n": "Sentences", "n_items": "Items"}
        columns = {**names, **numbers_in(unit, {"value": "Mean", "low": "95 % from", "high": "95 % to"})}
        shown = means if means["comparison"].any() else means.drop(columns="comparison")
        listed = [name for name in columns if name in shown and (name, over) != ("n_items", "sentences")]
        show_table(shown[listed], column_config=columns, alt="One row per condition: its mean and interval")
        _warn(means, over)
        show_downloads(f"by-condition-{model}", means, chart)
        return
    notices.write(
        "Intervals and tests generalise over items. Difference: $better − $other; its tests are paired.",
        "pl-quiet", better=design.columns.expected, other=design.columns.unexpected,
    )  # fmt: skip
    rows = drawing.of_model(findings.by_cond, model)
    _show_tests(cells(rows), design.columns, unit)
    show_downloads(f"by-condition-{model}", rows, chart)


def _show_tests(rows: pd.DataFrame, roles: Columns, unit: str) -> None:
    table = rows.assign(cell=drawing.cell_names(rows, roles.conditions))
    named = {"expected": roles.expected.capitalize(), "unexpected": roles.unexpected.capitalize()}
    wins = st.column_config.NumberColumn(f"{named['expected']} wins", format="percent")
    columns = _COLUMNS | {"acc": wins} | numbers_in(unit, named | {"diff": "Difference"})
    show_table(table[list(_COLUMNS)], column_config=columns, alt="One row per condition")
    _warn(rows)


def _warn(rows: pd.DataFrame, units: str = "items") -> None:
    if warning := few_items(rows, units):
        notices.warning(warning)

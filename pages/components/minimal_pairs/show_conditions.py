"""An experiment by condition: means with their intervals, how often the expected sentence wins, and the tests."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.by_cond import cells
from core.analysis.side_means import cell_means, side_means
from core.charts.experiment import QUANTITIES, by_condition
from core.studies.experiment import drawing
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import UNITS, few_items, has_pairs
from pages.components.shared import notices
from pages.components.shared.number_columns import numbers_in
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_NUMBERS = {"expected": "Expected", "unexpected": "Unexpected", "diff": "Difference"}
_COLUMNS = {
    "cell": "Condition",
    "n": "Pairs",
    "n_items": "Items",
    "acc": st.column_config.NumberColumn("Expected wins", format="percent"),
    "acc_low": st.column_config.NumberColumn("95 % from", format="percent"),
    "acc_high": st.column_config.NumberColumn("to", format="percent"),
    "ties": "Ties",
    **_NUMBERS,
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
    paired = has_pairs(design)
    means = (
        side_means(findings.by_pair, design.columns)
        if paired
        else cell_means(findings.regions, design.sentences, design.columns, analysis)
    )
    means = drawing.of_model(means, model).assign(
        cell=lambda rows: drawing.cell_names(rows, design.columns.conditions)
    )
    chart = by_condition(means, finding, QUANTITIES[analysis.measure])
    show_chart(chart, f"conditions_{model}")
    if not paired:
        notices.write("Intervals are over items. Without pairs there is no difference to test.", "pl-quiet")
        _warn(means["n_items"])
        show_downloads(f"by-condition-{model}", means, chart)
        return
    notices.write(
        "Intervals and tests generalise over items. Difference: expected minus unexpected; its tests are paired.",
        "pl-quiet",
    )
    rows = drawing.of_model(findings.by_cond, model)
    _show_tests(cells(rows), design.columns.conditions, UNITS[analysis.measure])
    show_downloads(f"by-condition-{model}", rows, chart)


def _show_tests(rows: pd.DataFrame, conditions: Sequence[str], unit: str) -> None:
    table = rows.assign(cell=drawing.cell_names(rows, conditions))
    columns = _COLUMNS | numbers_in(unit, _NUMBERS)
    show_table(table[list(_COLUMNS)], column_config=columns, alt="One row per condition")
    _warn(rows["n_items"])


def _warn(n_items: pd.Series) -> None:
    if warning := few_items(n_items):
        notices.warning(warning)

"""A 2 x 2 design: does one condition change the effect of the other, in the region and after it?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.contrast_formula import contrast, example
from core.analysis.interaction import Interaction
from core.charts.experiment import stacked
from core.charts.interaction import interaction_by_region, interaction_plot
from core.errors import PairlensError
from core.studies.experiment import drawing
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import UNITS, few_items
from pages.components.shared import notices
from pages.components.shared.number_columns import numbers_in
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_NUMBERS = {
    "low": "95 % from", "high": "95 % to", "t": "t", "df": "df", "p": "p", "p_holm": "p (Holm)",
    "p_wilcoxon": "p (signed rank)", "dz": "Effect (dz)",
}  # fmt: skip
_COLUMNS = {
    "region": "Region",
    "effect": "Effect",
    "n_items": "Items",
    "mean": "Mean",
    "share_positive": st.column_config.NumberColumn("Items above 0", format="percent"),
    **{name: st.column_config.NumberColumn(title, format="%.3g") for name, title in _NUMBERS.items()},
}


def show_interaction(found: Interaction | None, reason: str, findings: Findings, model: str, finding: str) -> None:
    """Lines of the four cells and of every item, region by region; the tests; and a contrast to type.

    `reason` says why there is no interaction, where there is none.
    """
    if found is None:
        notices.note(reason)
    elif drawing.of_model(found.table, model)["n_items"].gt(0).any():
        _show_crossed(found, model, finding, findings.analysis.measure)
    else:
        notices.note("No item has scores in all four cells.")
    _show_contrast(findings, model)


def _show_crossed(found: Interaction, model: str, finding: str, measure: str) -> None:
    cells, items = drawing.crossed(found, model)
    reach = drawing.reach(cells, items)
    regions = list(dict.fromkeys(cells["region"]))
    charts = []
    for column, name in zip(st.columns(len(regions)), regions, strict=True):
        here = cells[cells["region"] == name]
        charts.append(interaction_plot(here, items[items["region"] == name], finding, found.factors, reach, measure))
        with column:
            notices.write("$name", "pl-label", name=name)
            show_chart(charts[-1], f"interaction_{model}_{name}")
    table = drawing.of_model(found.table, model)
    if len(regions) > 1:
        show_chart(interaction_by_region(table, finding, measure), f"interaction_by_region_{model}")
    (a1, a2), (b1, b2) = found.levels
    notices.write(
        "Interaction: ($a1 $b1 − $a1 $b2) − ($a2 $b1 − $a2 $b2), item by item. Parallel lines: none. "
        "Faint: the items.",
        "pl-quiet", a1=a1, a2=a2, b1=b1, b2=b2,
    )  # fmt: skip
    effects = pd.concat([table.assign(effect="interaction"), drawing.of_model(found.effects, model)])
    _table(effects, measure)
    left_out = drawing.of_model(found.excluded, model)
    if len(left_out):
        show_table(left_out, alt="Items that are left out of the interaction, and why")
    show_downloads(f"interaction-{model}", effects, stacked(charts, regions, finding))


def _show_contrast(findings: Findings, model: str) -> None:
    design = findings.design
    formula = st.text_input(
        "A contrast of your own", key="contrast", bind="query-params",
        placeholder=example(design.sentences, design.columns),
        help="Arithmetic over cells. A cell is its values of the conditions, joined with dots; '.expected' or "
        "'.unexpected' may follow.",
    )  # fmt: skip
    if not formula:
        return
    try:
        found = contrast(formula, findings.regions, design.sentences, design.columns, findings.analysis)
    except PairlensError as wrong:
        notices.error(wrong)
        return
    table = drawing.of_model(found.table, model).assign(effect=formula)
    _table(table, findings.analysis.measure)
    show_downloads(f"contrast-{model}", table)


def _table(rows: pd.DataFrame, measure: str) -> None:
    columns = _COLUMNS | numbers_in(UNITS[measure], {"mean": "Mean"})
    show_table(rows[list(_COLUMNS)], column_config=columns, alt="One row per effect and region")
    if rows["region"].nunique() > 1:
        notices.write("p (Holm): corrected for the number of regions.", "pl-quiet")
    if warning := few_items(rows["n_items"]):
        notices.warning(warning)

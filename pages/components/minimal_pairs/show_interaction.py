"""A factorial design: does one factor change the effect of the other, in the region and in all others?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.contrast_formula import contrast, example
from core.analysis.interaction import Interaction
from core.analysis.regions import per_word
from core.charts.experiment import quantity_in, stacked
from core.charts.interaction import interaction_by_region, interaction_plot
from core.errors import PairlensError
from core.studies.experiment import drawing, wording
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import few_items, unit
from pages.components.shared import notices
from pages.components.shared.number_columns import numbers_in
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_ABREAST = 4
"""Charts side by side."""
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


def show_interaction(
    found: Interaction | None,
    everywhere: Interaction | None,
    reason: str,
    findings: Findings,
    model: str,
    finding: str,
) -> None:
    """The means of the cells, region by region, with every item's lines; the tests; and a contrast to type.

    `reason` says why there is no interaction, where there is none.
    """
    if found is None:
        notices.note(reason)
    elif drawing.of_model(found.table, model)["n_items"].gt(0).any():
        _show_crossed(found, model, finding, findings.analysis.measure)
        if everywhere is not None:
            _show_everywhere(everywhere, model, findings)
    else:
        notices.note("No item has scores in every cell.")
    _show_contrast(findings, model)


def _show_crossed(found: Interaction, model: str, finding: str, measure: str) -> None:
    cells, items = drawing.crossed(found, model)
    numbers = unit(measure, found.per_word)
    reach = drawing.reach(cells, items)
    parts = [(str(region), str(facet)) for region, facet in cells[["region", "facet"]].drop_duplicates().to_numpy()]
    titles = [f"{region} · {found.factors[0]} {facet}" if facet else region for region, facet in parts]
    charts = []
    for place, (region, facet) in enumerate(parts):
        here, its = (rows[(rows["region"] == region) & (rows["facet"] == facet)] for rows in (cells, items))
        charts.append(interaction_plot(here, its, finding, found.factors[-2:], reach, quantity_in(numbers, measure)))
        if place % _ABREAST == 0:
            columns = st.columns(min(len(parts), _ABREAST))
        with columns[place % _ABREAST]:
            notices.write("$name", "pl-label", name=titles[place])
            show_chart(charts[-1], f"interaction_{model}_{titles[place]}")
    notices.write("$formula Parallel lines: none. Faint: the items.", "pl-quiet", formula=wording.formula(found))
    means = drawing.of_model(found.cells, model)
    _means(means, found.factors, numbers)
    effects = pd.concat([drawing.of_model(found.table, model).assign(effect="interaction"),
                         drawing.of_model(found.effects, model)])  # fmt: skip
    _table(effects, numbers)
    left_out = drawing.of_model(found.excluded, model)
    if len(left_out):
        show_table(left_out, alt="Items that are left out of the interaction, and why")
    show_downloads(f"interaction-{model}", effects, stacked(charts, titles, finding))
    show_downloads(f"cells-{model}", means)


def _means(cells: pd.DataFrame, factors: Sequence[str], numbers: str) -> None:
    """The means of the cells with their intervals over items."""
    bounds = {"low": "95 % from", "high": "95 % to"}
    names = {"region": "Region", **{name: name for name in factors}, "n_items": "Items"}
    columns = {**names, **numbers_in(numbers, {"mean": "Mean", **bounds})}
    show_table(cells[[*columns]], column_config=columns, alt="One row per cell and region: its mean over items")


def _show_everywhere(found: Interaction, model: str, findings: Findings) -> None:
    """The interaction region by region, from the beginning of the sentence to its end."""
    measure, table = findings.analysis.measure, drawing.of_model(found.table, model)
    told = wording.by_region_of(found, model, findings.analysis)
    notices.write("$told", told=told)
    numbers = unit(measure, found.per_word)
    chart = interaction_by_region(table, told, quantity_in(numbers, measure))
    show_chart(chart, f"interaction_by_region_{model}")
    _table(table.assign(effect="interaction"), numbers)
    show_downloads(f"interaction-by-region-{model}", table, chart)


def _show_contrast(findings: Findings, model: str) -> None:
    design = findings.design
    formula = st.text_input(
        "A contrast of your own", key="contrast", bind="query-params",
        placeholder=example(design.sentences, design.columns),
        help="Arithmetic over cells. A cell is its values of the conditions, joined with dots, and that of the "
        "comparison; without the latter, both sides are averaged.",
    )  # fmt: skip
    if not formula:
        return
    try:
        found = contrast(formula, findings.regions, design.sentences, design.columns, findings.analysis)
    except PairlensError as wrong:
        notices.error(wrong)
        return
    table = drawing.of_model(found.table, model).assign(effect=formula)
    _table(table, unit(findings.analysis.measure, per_word(findings.regions, findings.analysis)))
    show_downloads(f"contrast-{model}", table)


def _table(rows: pd.DataFrame, numbers: str) -> None:
    columns = _COLUMNS | numbers_in(numbers, {"mean": "Mean"})
    show_table(rows[list(_COLUMNS)], column_config=columns, alt="One row per effect and region")
    if rows["region"].nunique() > 1:
        notices.write("p (Holm): corrected for the number of regions.", "pl-quiet")
    if warning := few_items(rows):
        notices.warning(warning)

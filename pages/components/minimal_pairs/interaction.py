"""Does one factor change the effect of another, region by region; and what holds under every choice of analysis."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.contrast_formula import contrast, example
from core.analysis.interaction import Interaction
from core.analysis.regions import per_word
from core.charts.experiment import interaction_by_region, interaction_plot, quantity_in, stacked
from core.charts.named_rows import Measure
from core.charts.run_numbers import ORIGINS, by_policy
from core.errors import PairlensError
from core.scoring.recipe import Recipe
from core.studies.experiment import drawing, wording
from core.studies.experiment.findings import Findings
from core.studies.experiment.policies import printable
from core.studies.experiment.wording import few_items, number, unit
from pages.components.minimal_pairs.findings import (
    Question,
    findings_of,
    interaction_under_all_choices,
    under_all_choices,
)
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.run_policies import show_number_match
from pages.components.shared.tables import numbers_in, show_table

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
_LISTED = 1_000
_FRAGILE = {"agree": "Choices that agree", "of": "Of", "against": "Decided otherwise under"}
_FORMAT = {
    "label": "Analysis", "n": "Pairs", "ties": "Ties",
    "value": "",
    "low": st.column_config.NumberColumn("95 % from", format="percent"),
    "high": st.column_config.NumberColumn("to", format="percent"),
    "diff": st.column_config.NumberColumn("Mean difference", format="%.3g"),
}  # fmt: skip


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
            notices.text(titles[place], "pl-label")
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
    bounds = {"low": "95 % from", "high": "95 % to"}
    names = {"region": "Region", **{name: name for name in factors}, "n_items": "Items"}
    columns = {**names, **numbers_in(numbers, {"mean": "Mean", **bounds})}
    show_table(cells[[*columns]], column_config=columns, alt="One row per cell and region: its mean over items")


def _show_everywhere(found: Interaction, model: str, findings: Findings) -> None:
    measure, table = findings.analysis.measure, drawing.of_model(found.table, model)
    told = wording.by_region_of(found, model, findings.analysis)
    notices.text(told)
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


def show_analyses(question: Question, recipe: Recipe, factors: tuple[str, ...]) -> None:
    """All of it for one model; every number is a query on scores that are stored."""
    if "comparison" in findings_of(question).design.sentences:
        _show_preferences(question, recipe)
    if factors:
        _show_interactions(question, recipe, factors)
    notices.write(
        "Nothing is scored for this: each row changes one choice of the analysis and keeps the others. Other ways of "
        "scoring (first word, start symbol) are chosen at the top of the page and scored there.", "pl-quiet",
    )  # fmt: skip


def _show_preferences(question: Question, recipe: Recipe) -> None:
    found = under_all_choices(question, recipe)
    if found.numbers.empty:
        notices.note("No pair can be compared.")
        return
    notices.write("<strong>$said</strong>", said=found.sentence)
    roles = findings_of(question).design.columns
    wins = f"{roles.expected.capitalize()} wins"
    table = found.numbers.rename(columns={"acc": "value"})
    rows = table.assign(ties_count="", **_origins(table))
    low, high = 100 * table["value"].min(), 100 * table["value"].max()
    finding = f"{wins} in {low:.1f} % to {high:.1f} % of the pairs, depending on the analysis."
    notices.text(finding)
    chart = by_policy(rows, finding, Measure(wins))
    name = recipe.model.name
    show_chart(chart, f"analyses_{name}")
    columns = _FORMAT | {"value": st.column_config.NumberColumn(wins, format="percent")}
    show_table(table[[*columns]], column_config=columns, alt="One row per analysis")
    _show_fragile(found.decisions, name)
    show_downloads(f"analyses-{name}", table, chart)
    show_number_match(f"analyses_{name}", lambda: printable(found))


def _show_interactions(question: Question, recipe: Recipe, factors: tuple[str, ...]) -> None:
    table = interaction_under_all_choices(question, recipe, factors).dropna(subset="value")
    if table.empty:
        return
    unit, name = " or ".join(table["unit"].unique()), recipe.model.name
    low, high = (number(value, question.analysis.measure) for value in (table["value"].min(), table["value"].max()))
    finding = f"The interaction of {' × '.join(factors)} is {low} to {high} {unit}, depending on the analysis."
    notices.write("<strong>$finding</strong>", finding=finding)
    chart = by_policy(
        table.assign(ties=0, ties_count="", **_origins(table)), finding, Measure(f"Interaction ({unit})", unit)
    )
    show_chart(chart, f"interactions_{name}")
    bounds = {"value": "Interaction", "low": "95 % from", "high": "to"}
    columns = {"label": "Analysis", "n": "Items"} | numbers_in(unit, bounds)
    columns |= {"unit": "Unit"} if table["unit"].nunique() > 1 else {}
    columns["p"] = st.column_config.NumberColumn("p", format="%.3g")
    show_table(table[[*columns]], column_config=columns, alt="The interaction, one row per analysis")
    show_downloads(f"interactions-{name}", table, chart)


def _origins(table: pd.DataFrame) -> dict[str, str | list[str]]:
    """What the chart says of each row: the first one is the page's own analysis."""
    return {"presets": "", "said": [ORIGINS[0], *[ORIGINS[1]] * (len(table) - 1)]}


def _show_fragile(decisions: pd.DataFrame, name: str) -> None:
    """The pairs on which not all choices agree, the least agreed first."""
    agree = decisions.eq(decisions.iloc[:, 0], axis=0).sum(axis=1)
    fragile = decisions.assign(agree=agree)[agree < decisions.shape[1]].sort_values("agree", kind="stable")
    if fragile.empty:
        return
    own, *others = decisions.columns
    told = [
        "; ".join(f"{choice}: {row[choice]}" for choice in others if row[choice] != row[own])
        for row in fragile.to_dict("records")
    ]
    kept = fragile[[own, "agree"]].assign(of=decisions.shape[1], against=told)
    table = kept.rename(columns={own: "As chosen here"} | _FRAGILE).reset_index().rename(columns={"pairid": "Pair"})
    notices.write("<strong>Fragile: $n.</strong>", n=notices.counted(len(fragile), "pair"))
    show_table(table.head(_LISTED), alt="One row per fragile pair", key=f"fragile_{name}")

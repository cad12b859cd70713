"""An experiment under every choice of analysis: who wins how often, the interaction, and which pairs are fragile."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.named_rows import Measure
from core.charts.run_numbers import ORIGINS, by_policy
from core.scoring.recipe import Recipe
from core.studies.experiment.policies import printable
from core.studies.experiment.wording import number
from pages.components.minimal_pairs import resources
from pages.components.minimal_pairs.question import Question
from pages.components.shared import notices
from pages.components.shared.number_columns import numbers_in
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_match import show_number_match
from pages.components.shared.show_table import show_table

_LISTED = 1_000
_FRAGILE = {"agree": "Choices that agree", "of": "Of", "against": "Decided otherwise under"}
_FORMAT = {
    "label": "Analysis", "n": "Pairs", "ties": "Ties",
    "value": "",
    "low": st.column_config.NumberColumn("95 % from", format="percent"),
    "high": st.column_config.NumberColumn("to", format="percent"),
    "diff": st.column_config.NumberColumn("Mean difference", format="%.3g"),
}  # fmt: skip


def show_analyses(question: Question, recipe: Recipe, factors: tuple[str, ...]) -> None:
    """All of it for one model; every number is a query on scores that are stored."""
    if "comparison" in resources.findings(question).design.sentences:
        _show_preferences(question, recipe)
    if factors:
        _show_interactions(question, recipe, factors)
    notices.write(
        "Nothing is scored for this: each row changes one choice of the analysis and keeps the others. Other ways of "
        "scoring (first word, start symbol) are chosen at the top of the page and scored there.", "pl-quiet",
    )  # fmt: skip


def _show_preferences(question: Question, recipe: Recipe) -> None:
    found = resources.under_all_choices(question, recipe)
    if found.numbers.empty:
        notices.note("No pair can be compared.")
        return
    notices.write("<strong>$said</strong>", said=found.sentence)
    roles = resources.findings(question).design.columns
    wins = f"{roles.expected.capitalize()} wins"
    table = found.numbers.rename(columns={"acc": "value"})
    rows = table.assign(ties_count="", **_origins(table))
    low, high = 100 * table["value"].min(), 100 * table["value"].max()
    finding = f"{wins} in {low:.1f} % to {high:.1f} % of the pairs, depending on the analysis."
    notices.write("$finding", finding=finding)
    chart = by_policy(rows, finding, Measure(wins))
    name = recipe.model.name
    show_chart(chart, f"analyses_{name}")
    columns = _FORMAT | {"value": st.column_config.NumberColumn(wins, format="percent")}
    show_table(table[[*columns]], column_config=columns, alt="One row per analysis")
    _show_fragile(found.decisions, name)
    show_downloads(f"analyses-{name}", table, chart)
    show_number_match(f"analyses_{name}", lambda: printable(found))


def _show_interactions(question: Question, recipe: Recipe, factors: tuple[str, ...]) -> None:
    """The interaction in the region, one row per analysis."""
    table = resources.interaction_under_all_choices(question, recipe, factors).dropna(subset="value")
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

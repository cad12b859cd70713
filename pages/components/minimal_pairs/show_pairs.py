"""An experiment's pairs against each other; those that are clicked are listed and open in Compare."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.experiment import PAIR, pair_by_pair, quantity_in
from core.scoring.recipe import Recipe
from core.studies.experiment import drawing
from core.studies.experiment.findings import Findings
from core.studies.experiment.wording import unit_of
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.link import open_in_compare
from pages.components.shared.tables import numbers_in, show_table

_SQUARE = 480
_DRAWN = 2_000
_LISTED = 500
_COLUMNS = {
    "pairid": "Pair",
    "cell": "Condition",
    "preferred": "Preferred",
    **dict.fromkeys(("expected", "unexpected", "diff", "text_expected", "text_unexpected"), ""),
}


def show_pairs(findings: Findings, recipe: Recipe, finding: str) -> None:
    """A point per pair, and a table: the chosen points, else all pairs with the worst decision first."""
    quantity = quantity_in(unit_of(findings), findings.analysis.measure)
    of_model = findings.by_pair[findings.by_pair["model"] == recipe.model.name]
    pairs = drawing.pairs_by_condition(of_model, findings.design.columns.conditions, findings.design.sentences)
    if pairs.empty:
        notices.note("No pair can be compared: see Left out.")
        return
    drawn = pairs.sample(min(len(pairs), _DRAWN), random_state=0) if len(pairs) > _DRAWN else pairs
    if len(drawn) < len(pairs):
        notices.note(f"{_DRAWN:,} of {len(pairs):,} pairs are drawn, chosen at random; the table has the others too.")
    roles = findings.design.columns
    chart = pair_by_pair(drawn, finding, quantity, (roles.expected, roles.unexpected))
    key = f"pairs_{recipe.model.name}"
    if len(pairs) > 1:
        with st.container(width=_SQUARE):
            show_chart(chart, key, on_click=_keep)
        notices.write(
            "$quantity of the region or sentence; equal on the diagonal. Click points, with Shift for several.",
            "pl-quiet", quantity=quantity.title,
        )  # fmt: skip
    _list(_worst_first(pairs, findings.analysis.measure), _clicked(key), recipe, findings)
    show_downloads(f"by-pair-{recipe.model.name}", pairs, chart if len(pairs) > 1 else None)


def _keep() -> None:
    """Streamlit needs a callback to keep a chart's selection; it is read from the session state."""


def _clicked(key: str) -> set[str]:
    event = st.session_state.get(key)
    return {point["pairid"] for point in event.selection.get(PAIR, [])} if event else set()


def _worst_first(pairs: pd.DataFrame, measure: str) -> pd.DataFrame:
    return pairs.sort_values("diff", ascending=measure == "prob", kind="stable")


def _list(pairs: pd.DataFrame, clicked: set[str], recipe: Recipe, findings: Findings) -> None:
    roles, unit = findings.design.columns, unit_of(findings)
    named = {"expected": roles.expected.capitalize(), "unexpected": roles.unexpected.capitalize()}
    chosen = pairs[pairs["pairid"].isin(clicked)] if clicked else pairs.head(_LISTED)
    what = (
        "The pairs you clicked" if clicked else f"{len(chosen):,} of {len(pairs):,} pairs, the worst decision first"
    )
    notices.write("$what. Click a row to open it.", "pl-quiet", what=what)
    columns = _COLUMNS | numbers_in(unit, named | {"diff": "Difference"})
    for side, name in named.items():
        columns[f"text_{side}"] = st.column_config.TextColumn(f"Sentence: {name.lower()}", width="large")
    said = {"expected": roles.expected, "unexpected": roles.unexpected}
    event = show_table(
        chosen[list(_COLUMNS)].replace({"preferred": said}), column_config=columns, on_select="rerun",
        selection_mode="single-row", key=f"list_{recipe.model.name}_{'-'.join(sorted(clicked))}",
        selection_default={"selection": {"rows": [0]}}, alt="One row per pair",
    )  # fmt: skip
    for place in [place for place in event.selection.rows if place < len(chosen)][:1]:
        row = chosen.iloc[place]
        open_in_compare(row["text_expected"], row["text_unexpected"], recipe.model.name, recipe.policy)

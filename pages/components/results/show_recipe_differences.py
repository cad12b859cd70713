"""How compared runs were made: what differs, and below it, folded, what does not."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.reports.run_comparison.report import RunComparison
from pages.components.shared import notices
from pages.components.shared.tables import show_table

_COLUMNS = {"section": "Part", "field": "Setting", "effect": "Effect of a difference"}


def show_recipe_differences(found: RunComparison) -> None:
    """A table of the fields that differ, and one of the others."""
    st.header("What differs in the recipe", anchor=False)
    recipe = found.recipe.replace("", "–")
    differing = recipe[recipe["differs"]]
    moving = differing[differing["effect"].str.startswith("can change")]["field"].tolist()
    said = f"These differences can change the numbers: {', '.join(moving).lower()}."
    said = said if moving else "None of these differences can change the numbers."
    notices.write("$said", said=said)
    _show(found, differing)
    with st.expander(f"Identical settings ({len(recipe) - len(differing)})"):
        _show(found, recipe[~recipe["differs"]])


def _show(found: RunComparison, rows: pd.DataFrame) -> None:
    names = [run.name for run in found.runs]
    widths = {name: st.column_config.TextColumn(name, width="medium") for name in names}
    show_table(rows[["section", "field", *names, "effect"]], column_config={**_COLUMNS, **widths})

"""How compared runs were made: what differs, and below it, folded, what does not."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.reports.run_comparison.report import RunComparison
from pages.components.shared import notices
from pages.components.shared.show_table import show_table

_COLUMNS = {"section": "Of", "field": "What", "effect": "A difference"}


def show_recipe_differences(found: RunComparison) -> None:
    """A table of the fields that differ, and one of the others."""
    st.subheader("What differs in how they were made", anchor=False)
    recipe = found.recipe.replace("", "–")
    differing = recipe[recipe["differs"]]
    moving = differing[differing["effect"].str.startswith("can move")]["field"].tolist()
    said = f"What can move the numbers: {', '.join(moving).lower()}." if moving else "Nothing can move the numbers."
    notices.write("$said", said=said)
    _show(found, differing)
    with st.expander(f"The same in all of them ({len(recipe) - len(differing)})"):
        _show(found, recipe[~recipe["differs"]])


def _show(found: RunComparison, rows: pd.DataFrame) -> None:
    names = [run.name for run in found.runs]
    widths = {name: st.column_config.TextColumn(name, width="medium") for name in names}
    show_table(rows[["section", "field", *names, "effect"]], column_config={**_COLUMNS, **widths})

"""Match a number: which policies, units and ways of averaging give a published value."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from core.errors import InputError
from core.reports.multiverse import Layout, wording
from core.reports.multiverse.matching import match
from pages.components.shared import notices
from pages.components.shared import resources_of_runs as kept
from pages.components.shared.show_table import show_table

_SHOWN = 12
_COLUMNS = {
    "matches": "Gives it", "near": "Near", "value": st.column_config.NumberColumn("Value", format="%.6g"),
    "unit": "Unit", "of": "What", "label": "Policy", "presets": "Preset", "ties_count": "A tie counts",
}  # fmt: skip


def show_match(layout: Layout) -> None:
    """For a run: a box for the number, and the nearest ways to print one of it."""
    tried = show_number_match(layout.run_id, lambda: kept.printable(layout))
    if tried and (n := len(layout.missing)):
        said = "1 policy is" if n == 1 else f"{n} policies are"
        notices.write("$said not scored yet: not tried.", "pl-quiet", said=said)


def show_number_match(key: str, printable: Callable[[], pd.DataFrame]) -> bool:
    """The box and the answer over a table of printable numbers; whether one was asked for."""
    number = st.text_input(
        "Match a number", placeholder="74.3", width=240, key=f"match_{key}",
        help="A number published for this model and data (74.3, 0.743, 74,3 %): all scored policies, units, averages "
        "and tie rules are searched for it.",
    )  # fmt: skip
    if not number:
        return False
    try:
        found = match(printable(), number)
    except InputError as wrong:
        notices.error(wrong)
        return False
    notices.write("$said", said=wording.matched(found))
    nearest = found.table[[*_COLUMNS]].head(_SHOWN)
    show_table(nearest, column_config=_COLUMNS, alt="The nearest ways to print a number")
    return True

"""What an experiment leaves out, row by row, with the reason."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.studies.experiment.findings import Findings
from pages.components.minimal_pairs import resources
from pages.components.minimal_pairs.question import Question
from pages.components.shared import notices
from pages.components.shared.downloads import show_downloads
from pages.components.shared.tables import show_table

_COLUMNS = {
    "model": "Model", "row": "Row", "sentid": "Sentence", "pairid": "Pair",
    "reason": st.column_config.TextColumn("Reason", width="large"),
}  # fmt: skip


def show_exclusions(question: Question, findings: Findings) -> None:
    """Rows that could not be read, sentences that could not be scored, pairs that could not be compared."""
    refused = [
        {"model": recipe.model.name, "row": 0, "sentid": sentid, "pairid": "", "reason": reason}
        for recipe in question.recipes
        for sentid, reason in resources.refused(question.experiment, recipe).items()
    ]
    table = pd.concat([findings.excluded, pd.DataFrame(refused, columns=list(_COLUMNS))], ignore_index=True)
    if table.empty:
        notices.write("Nothing is left out.")
        return
    notices.write("Rows are numbered as in your file: the column names of a table are row 1.", "pl-quiet")
    shown = table[list(_COLUMNS)].assign(row=table["row"].astype("Int64").where(table["row"] > 0))
    show_table(shown, column_config=_COLUMNS, alt="What is left out, and why")
    show_downloads("left-out", table)

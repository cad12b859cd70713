"""How a model scored on whole test sets: a sentence, a chart beside chance, baselines and others, the table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.accuracy import reached
from core.models.inventory import Entry
from core.reports.model_evaluation.rows import group_rows, in_words, published_rows, score_rows
from pages.components.shared import notices
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_SHARES = {"value": "Accuracy", "low": "95 % from", "high": "to", "chance": "Guessing"}
_COLUMNS = {
    "set": st.column_config.TextColumn("Test set", width="medium"),
    **{name: st.column_config.NumberColumn(title, format="percent") for name, title in _SHARES.items()},
    "baseline": "Best simple rule",
    "baseline_value": st.column_config.NumberColumn("its accuracy", format="percent"),
    "items": st.column_config.NumberColumn("Items", format="localized"),
    "policy": st.column_config.TextColumn("Scoring", width="large"),
    "signature": "Signature",
}
_GROUPS = {
    "set": "Test set", "by": "By", "name": "Group",
    "value": st.column_config.NumberColumn("Accuracy", format="percent"),
}  # fmt: skip


def show_card_scores(entry: Entry) -> None:
    """Every measured score of the card; a sentence where there is none."""
    rows = score_rows(entry.card)
    if rows.empty:
        notices.note("No scores yet. Run a benchmark to get some.")
        return
    said = "Accuracy, with 95 % intervals: " + "; ".join(in_words(entry.card)) + "."
    rules = rows[["set", "baseline", "baseline_value"]].dropna()
    rules = rules.rename(columns={"baseline": "name", "baseline_value": "value"}).assign(published=False)
    published = published_rows(entry.card).assign(published=True)
    chart = reached(rows, pd.concat([rules, published], ignore_index=True), said)
    notices.write("$said", said=said)
    show_chart(chart, "reached")
    notices.write(
        "Blue: the model, with its 95 % interval over items. Tick: guessing. Diamond: the best simple rule. "
        "Triangle: published results on the same items.", "pl-quiet",
    )  # fmt: skip
    with st.expander("As a table, and by group"):
        show_table(rows, column_config=_COLUMNS, alt="Accuracy on whole test sets")
        groups = group_rows(entry.card)
        if len(groups):
            show_table(groups, column_config=_GROUPS, alt="The same by group")
        show_downloads(f"{entry.name}-scores", rows, chart, {"scores": rows, "groups": groups})

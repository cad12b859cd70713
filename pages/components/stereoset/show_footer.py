"""The footer: predictions and numbers in the published formats and in ours, and how they were made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.files.exports import SPREADSHEET
from core.studies.stereoset.downloads import numbers_file
from core.studies.stereoset.findings import IN_WORDS
from core.studies.stereoset.predictions import predictions_text
from pages.components.shared import notices
from pages.components.shared.show_receipt import Made, show_receipt
from pages.components.stereoset.results import StereoSetResult

_JSON = "application/json"
_NUMBERS = {
    "Metrics, names of StereoSet": ("original.json", ".json", "original", _JSON),
    "Metrics, names of its successor": ("successor.json", ".json", "successor", _JSON),
    "Excel": ("xlsx", ".xlsx", "successor", SPREADSHEET),
    "CSV": ("csv", ".csv", "successor", "text/csv"),
    "LaTeX": ("tex", ".tex", "successor", "text/x-tex"),
}  # fmt: skip
"""By label: the end of the file's name, what decides its format, whose names, and its kind."""


def show_footer(shown: Sequence[StereoSetResult]) -> None:
    """One row for the numbers of all models, then one per model."""
    scored = [(one.examples, one.predictions) for one in shown]
    ours = [one.measured for one in shown]
    with st.container(horizontal=True, key="stereoset_footer"):
        for label, (name, ending, names, mime) in _NUMBERS.items():
            st.download_button(
                label, partial(numbers_file, scored, ours, ending, names),
                f"stereoset.{name}", mime, key=f"get_stereoset_{name}", on_click="ignore", icon=":material/download:",
            )  # fmt: skip
    if any(found.ties + found.related_ties for one in ours for found in one.cells):
        notices.write("In metrics files and the workbook ties count as published, elsewhere as chosen.", "pl-quiet")
    for one in shown:
        if signature := one.receipt.get("signature"):
            notices.write("$signature", "pl-piece pl-quiet", signature=signature)
        with st.container(horizontal=True, vertical_alignment="center", key=f"stereoset_footer_{one.key}"):
            if len(shown) > 1:
                notices.write("$name", "pl-label", name=one.name)
            st.download_button(
                "Predictions (JSON)", partial(predictions_text, one.predictions),
                f"{one.predictions.name}.json", _JSON, key=f"get_predictions_{one.key}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip
            show_receipt(partial(_made, one), one.key)
            for task, run in one.receipt.get("runs", {}).items():
                st.page_link(
                    "pages/results.py", label=f"In Results: {IN_WORDS[task].lower()}",
                    icon=":material/bookmark_added:", query_params={"view": "runs", "run": run["run_id"]},
                )  # fmt: skip


def _made(one: StereoSetResult) -> Made:
    run_ids = [run["run_id"] for run in one.receipt.get("runs", {}).values()]
    return Made(one.receipt, one.methods, one.bibtex, run_ids)

"""The footer: predictions and numbers in the published formats and in ours, and how they were made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.studies.stereoset.downloads import numbers_file
from core.studies.stereoset.findings import IN_WORDS
from core.studies.stereoset.predictions import predictions_text
from pages.components.shared import notices
from pages.components.shared.downloads import File, Part, show_menu
from pages.components.shared.receipt import Made, show_receipt
from pages.components.stereoset.results import StereoSetResult

_JSON = "application/json"
_NUMBERS = {"CSV": ".csv", "Excel": ".xlsx", "LaTeX": ".tex"}
_METRICS = {"Metrics, names of StereoSet": "original", "Metrics, names of its successor": "successor"}


def show_footer(shown: Sequence[StereoSetResult], parts: Sequence[Part] = ()) -> None:
    """One menu for all models, with the tables and charts of the page (`parts`), then a row per model."""
    scored = [(one.examples, one.predictions) for one in shown]
    ours = [one.measured for one in shown]
    numbers = partial(numbers_file, scored, ours)
    tables = [File(label, partial(numbers, end), f"stereoset{end}") for label, end in _NUMBERS.items()]
    files = [
        File(label, partial(numbers, ".json", names), f"stereoset.{names}.json", _JSON)
        for label, names in _METRICS.items()
    ]
    for one in shown:
        file = f"{one.predictions.name}.json"
        files.append(File(f"Predictions of {one.name}", partial(predictions_text, one.predictions), file, _JSON))
    show_menu("stereoset", [Part("stereoset", published=tables), *parts], files)
    if any(found.ties + found.related_ties for one in ours for found in one.cells):
        notices.write("In metrics files and the workbook ties count as published, elsewhere as chosen.", "pl-quiet")
    for one in shown:
        if signature := one.receipt.get("signature"):
            notices.write("$signature", "pl-piece pl-quiet", signature=signature)
        with st.container(horizontal=True, vertical_alignment="center", key=f"stereoset_footer_{one.key}"):
            if len(shown) > 1:
                notices.write("$name", "pl-label", name=one.name)
            show_receipt(partial(_made, one), one.key)
            for task, run in one.receipt.get("runs", {}).items():
                st.page_link(
                    "pages/results.py", label=f"In Results: {IN_WORDS[task].lower()}",
                    icon=":material/bookmark_added:", query_params={"view": "runs", "run": run["run_id"]},
                )  # fmt: skip


def _made(one: StereoSetResult) -> Made:
    run_ids = [run["run_id"] for run in one.receipt.get("runs", {}).values()]
    return Made(one.receipt, one.methods, one.bibtex, run_ids)

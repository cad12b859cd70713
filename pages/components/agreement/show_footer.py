"""The footer of an agreement set: its numbers, its predictions in the published formats, how they were made."""

from __future__ import annotations

import json
from collections.abc import Callable

import streamlit as st

from core.analysis.agreement import as_json
from core.files.exports import written
from core.runs.receipts.bibtex import bibtex
from core.studies.agreement.predictions import predictions, raw_predictions
from core.studies.agreement.receipt import keys, methods, receipt
from pages.components.agreement.results import AgreementResult
from pages.components.shared import notices
from pages.components.shared.resources_of_runs import made
from pages.components.shared.show_receipt import Made, show_receipt

_TSV = "text/tab-separated-values"


def show_footer(one: AgreementResult) -> None:
    """Downloads, and what went into the numbers."""
    if one.result:
        notices.write("$signature", "pl-piece pl-quiet", signature=one.result.manifest["signature"])
    downloads: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        "All numbers (JSON)": (
            "json",
            "application/json",
            lambda: json.dumps(as_json(one.answers.numbers), indent=1),
        ),
        ".raw-pred": ("raw-pred", _TSV, lambda: written(raw_predictions(one.answers.candidates), ".raw-pred")),
        ".pred": ("pred", _TSV, lambda: written(predictions(one.answers.candidates), ".pred")),
        "Items (CSV)": ("csv", "text/csv", lambda: written(one.answers.items, ".csv")),
    }
    with st.container(horizontal=True, key=f"agreement_footer_{one.key}"):
        for label, (ending, mime, data) in downloads.items():
            st.download_button(
                label, data, f"{one.key}.{ending}", mime, key=f"get_{one.key}_{ending}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip
        show_receipt(lambda: _made(one), one.key)


def _made(one: AgreementResult) -> Made:
    """What went into the numbers: the run, or the file that another program wrote."""
    if one.result:
        return made(one.result.manifest["run_id"])
    return Made(receipt(one.answers, one.name), methods(one.answers, one.name), bibtex(keys()))

"""The footer of an agreement set: its numbers, its predictions in the published formats, how they were made."""

from __future__ import annotations

import json

import streamlit as st

from core.agreement.predictions import predictions
from core.agreement.raw_predictions import raw_predictions
from core.agreement.receipt import keys, methods, receipt
from core.analysis.agreement import as_json
from core.exports import written
from core.receipts.bibtex import bibtex
from pages.components import notices
from pages.components.agreed import Agreed
from pages.components.resources_of_made import made
from pages.components.show_receipt import Made, show_receipt

_TSV = "text/tab-separated-values"


def show_agreement_footer(one: Agreed) -> None:
    """Downloads, and what went into the numbers."""
    if one.result:
        notices.write("$signature", "pl-piece pl-quiet", signature=one.result.manifest["signature"])
    downloads = {
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


def _made(one: Agreed) -> Made:
    """What went into the numbers: the run, or the file that another program wrote."""
    if one.result:
        return made(one.result.manifest["run_id"])
    return Made(receipt(one.answers, one.name), methods(one.answers, one.name), bibtex(keys()))

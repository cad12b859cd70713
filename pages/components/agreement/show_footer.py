"""The footer of an agreement set: its numbers, its predictions in the published formats, how they were made."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from core.analysis.agreement import as_json
from core.files.exports import written
from core.runs.receipts.bibtex import bibtex
from core.studies.agreement.predictions import predictions, raw_predictions
from core.studies.agreement.receipt import keys, methods, receipt
from pages.components.agreement.results import AgreementResult
from pages.components.shared import notices
from pages.components.shared.downloads import File, Part, show_menu
from pages.components.shared.receipt import Made, receipt_of_run, show_receipt


def show_footer(one: AgreementResult, parts: Sequence[Part] = ()) -> None:
    """Downloads, those of the open tab (`parts`) among them, and what went into the numbers."""
    if one.result:
        notices.write("$signature", "pl-piece pl-quiet", signature=one.result.manifest["signature"])
    answers = one.answers
    files = (
        File("All numbers (JSON)", lambda: json.dumps(as_json(answers.numbers), indent=1), f"{one.key}.json"),
        File(".raw-pred", lambda: written(raw_predictions(answers.candidates), ".raw-pred"), f"{one.key}.raw-pred"),
        File(".pred", lambda: written(predictions(answers.candidates), ".pred"), f"{one.key}.pred"),
    )
    with st.container(horizontal=True, key=f"agreement_footer_{one.key}"):
        show_menu(f"agreement_{one.key}", [*parts, Part(one.key, lambda: answers.items)], files)
        show_receipt(lambda: _made(one), one.key)


def _made(one: AgreementResult) -> Made:
    """What went into the numbers: the run, or the file that another program wrote."""
    if one.result:
        return receipt_of_run(one.result.manifest["run_id"])
    return Made(receipt(one.answers, one.name), methods(one.answers, one.name), bibtex(keys()))

"""The footer of an evaluation: answers and numbers to take away, how they were made."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from core.files.exports import local_csv, written
from core.runs.receipts.bibtex import bibtex
from core.studies.nli.receipt import keys, methods, receipt
from core.studies.nli.report import as_json
from core.studies.nli.writing import assin_xml
from pages.components.nli.results import NliResult
from pages.components.nli.words import Words
from pages.components.shared import notices, resources
from pages.components.shared.show_receipt import Made, show_receipt


def show_footer(say: Words, one: NliResult) -> None:
    """Downloads, and what went into the numbers."""
    found, corpus = one.report.everything, one.data.read()
    answers = dict(zip(found.answers["id"], found.answers["answer"], strict=True))
    downloads: dict[str, tuple[str, str, Callable[[], str | bytes]]] = {
        say("Answers (CSV, international)"): ("csv", "text/csv", lambda: written(found.answers, ".csv")),
        say("Answers (Excel here: ; and decimal comma)"): ("excel.csv", "text/csv", lambda: local_csv(found.answers)),
        say("All numbers (JSON)"): ("json", "application/json", lambda: json.dumps(_numbers(one), indent=1)),
        say("Answers (ASSIN XML)"): ("xml", "application/xml", lambda: assin_xml(corpus, answers)),
    }
    if one.run_id:
        signature = resources.store().manifest(one.run_id)["signature"]
        notices.write("$signature", "pl-piece pl-quiet", signature=signature)
    with st.container(horizontal=True, key="nli_footer"):
        for label, (ending, mime, data) in downloads.items():
            st.download_button(
                label, data, f"{one.key}.{ending}", mime, key=f"get_nli_{ending}", on_click="ignore",
                icon=":material/download:",
            )  # fmt: skip
        show_receipt(lambda: _made(one), one.key, say)


def _numbers(one: NliResult) -> dict[str, Any]:
    return as_json(one.report, one.data.read())


def _made(one: NliResult) -> Made:
    """Everything behind the numbers: the run if a model was asked, the file if not; the reading and the rules."""
    made = resources.store().manifest(one.run_id) if one.run_id else {"answers": one.by.name}
    corpus, asked = one.data.read(), one.by.asked
    return Made(
        receipt(one.report, corpus, one.data.name, one.by.reading, made),
        methods(one.report, one.data.name, one.by.name, made),
        bibtex(keys(corpus), asked.recipe.model if asked else None),
        (one.run_id,) if one.run_id else (),
    )

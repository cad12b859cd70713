"""The footer of an evaluation: answers and numbers to take away, how they were made."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.runs.receipts.bibtex import bibtex
from core.studies.nli.receipt import keys, methods, receipt
from core.studies.nli.report import as_json
from core.studies.nli.writing import assin_xml
from pages.components.nli.results import NliResult
from pages.components.nli.words import Words
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, show_menu
from pages.components.shared.receipt import Made, show_receipt


def show_footer(say: Words, one: NliResult, parts: Sequence[Part]) -> None:
    """Downloads, with the charts of the page as `parts`, and what went into the numbers."""
    found, corpus = one.report.everything, one.data.read()
    answers = dict(zip(found.answers["id"], found.answers["answer"], strict=True))
    files = (
        File(say("All numbers (JSON)"), lambda: json.dumps(_numbers(one), indent=1), f"{one.key}.json"),
        File(say("Answers (ASSIN XML)"), lambda: assin_xml(corpus, answers), f"{one.key}.xml", "application/xml"),
    )
    if one.run_id:
        signature = resources.store().manifest(one.run_id)["signature"]
        notices.write("$signature", "pl-piece pl-quiet", signature=signature)
    with st.container(horizontal=True, key="nli_footer"):
        show_menu("nli", [Part(one.key, lambda: found.answers), *parts], files, said=say)
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

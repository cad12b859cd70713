"""The footer of an evaluation: answers and numbers to take away, how they were made."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from core import __version__
from core.exports import local_csv, written
from core.labels import system_of
from core.nli.report import as_json
from core.nli.wording import numbers
from core.nli.writing import assin_xml
from pages.components import notices, resources
from pages.components.judged import Judged
from pages.components.nli_words import Words
from pages.components.show_receipt import show_receipt


def show_nli_footer(say: Words, one: Judged) -> None:
    """Downloads, and what went into the numbers."""
    found, corpus = one.report.everything, one.data.read()
    answers = dict(zip(found.answers["id"], found.answers["answer"], strict=True))
    downloads = {
        say("download_csv"): ("csv", "text/csv", lambda: written(found.answers, ".csv")),
        say("download_here"): ("excel.csv", "text/csv", lambda: local_csv(found.answers)),
        say("download_numbers"): ("json", "application/json", lambda: json.dumps(_numbers(one), indent=1)),
        say("download_xml"): ("xml", "application/xml", lambda: assin_xml(corpus, answers)),
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
        show_receipt(_receipt(one), _methods(one))


def _numbers(one: Judged) -> dict[str, Any]:
    return as_json(one.report, one.data.read())


def _receipt(one: Judged) -> dict[str, Any]:
    """Everything behind the numbers: the run if a model was asked, the file if not; the reading and the rules."""
    made = dict(resources.store().manifest(one.run_id)) if one.run_id else {"answers": one.by.name}
    return {
        **made,
        "data": one.data.name,
        "pairlens": __version__,
        "model_classes": dict(one.by.reading.labels),
        "evaluation": _numbers(one),
    }


def _methods(one: Judged) -> str:
    """Sentences that a paper can print."""
    found = one.report.headline
    data, model = (system_of(name).title for name in (found.data, found.model))
    asked = "in both directions" if found.cell.needs_reverse else "in one direction"
    return (
        f"{one.by.name}, whose labels are those of {model}, was evaluated on {one.data.name}, whose labels are those "
        f"of {data}, in Pairlens {__version__} ({found.cell.mode}; asked {asked}). {found.cell.words} "
        f"{numbers(found)[:1].upper()}{numbers(found)[1:]}; majority baseline: accuracy "
        f"{100 * found.majority.accuracy:.2f} %, macro-F1 {found.majority.macro_f1:.3f}. Intervals are 95 %, over "
        "pairs: Wilson for accuracy, percentile bootstrap for macro-F1 and MCC."
    )

"""The footer of an experiment: tables and programs to take away, Save to Results, How this number was made."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import PairlensError
from core.files.exports import FORMATS, SPREADSHEET, archive
from core.runs.evaluate import save
from core.runs.receipts.bibtex import bibtex
from core.scoring.recipe import Recipe
from core.studies.experiment import packing
from core.studies.experiment.findings import Findings
from core.studies.experiment.receipt import keys
from core.studies.experiment.wording import has_pairs
from pages.components.minimal_pairs import resources as kept
from pages.components.minimal_pairs.question import Question
from pages.components.shared import notices, resources
from pages.components.shared.say_saved import say_saved
from pages.components.shared.show_receipt import Made, show_receipt

_ZIP = "application/zip"


def show_exports(question: Question, findings: Findings, recipe: Recipe) -> None:
    """Everything of an experiment that leaves the page; `recipe` is that of the model that is shown."""
    made, methods = kept.receipt_of(question, recipe)
    title = question.experiment.source.name.rpartition(".")[0] or "experiment"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover("Tables", icon=":material/download:"):
            _show_tables(question)
        everything = (
            ("Excel workbook", lambda: packing.results_workbook(findings, kept.tokens(question), made),
             f"{title}.xlsx", SPREADSHEET),
            ("Published TSV", lambda: packing.published_archive(findings, kept.tokens(question)),
             f"{title}-tsv.zip", _ZIP),
            ("R and mixed model", lambda: archive(packing.mixed_model_files(findings)),
             f"{title}-mixed-model.zip", _ZIP),
            ("Notebook", lambda: packing.notebook_archive(findings, title), f"{title}-notebook.zip", _ZIP),
        )  # fmt: skip
        for label, data, name, mime in everything:
            if label != "R and mixed model" or _has_factors(findings):
                _button(label, data, name, mime)
        show_receipt(lambda: Made(made, methods, bibtex(keys(findings, recipe), recipe.model)), title)
    if has_pairs(findings.design):
        _offer_to_save(findings, recipe, title)


def _has_factors(findings: Findings) -> bool:
    return bool(findings.design.columns.conditions) or "comparison" in findings.design.sentences


def _show_tables(question: Question) -> None:
    """One table in one format: all digits."""
    found = packing.tables(kept.findings(question), lambda: kept.tokens(question))
    name = st.selectbox("Table", list(found), index=list(found).index("words"), key="table_of")
    chosen = st.selectbox("Format", list(FORMATS), key="format_of")
    ending, write = FORMATS[str(chosen)]
    _button("Download", lambda: write(found[str(name)]()), f"{name}{ending}", "application/octet-stream")


def _button(label: str, data: Callable[[], bytes], name: str, mime: str) -> None:
    st.download_button(
        label, data, name, mime, key=f"get_{label}_{name}", on_click="ignore", icon=":material/download:"
    )


def _offer_to_save(findings: Findings, recipe: Recipe, title: str) -> None:
    with st.popover("Save to Results", icon=":material/bookmark_add:"), st.container(width=420):
        named = st.text_input("Title", title, key=f"save_title_{title}")
        notices.write(
            "Whole sentences are saved, as pairs, so that this run can be found and compared with others.", "pl-quiet"
        )
        if not st.button("Save", type="primary"):
            return
        try:
            scorer = lambda: resources.scorer(recipe)  # noqa: E731
            run_id = save(findings.design.items(), recipe, resources.store(), title=named.strip(), scorer=scorer)
        except PairlensError as wrong:
            notices.error(wrong)
            return
        say_saved(run_id)

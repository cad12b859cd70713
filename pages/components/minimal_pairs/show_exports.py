"""The footer of an experiment: tables and programs to take away, Save to Results, How this number was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.analysis.experiment import Columns
from core.errors import PairlensError
from core.files.exports import SPREADSHEET, archive
from core.runs.evaluate import save
from core.runs.receipts.bibtex import bibtex
from core.scoring.recipe import Recipe
from core.studies.experiment import packing
from core.studies.experiment.crossing import as_pairs, items_to_save
from core.studies.experiment.design import Design
from core.studies.experiment.findings import Findings
from core.studies.experiment.receipt import keys
from pages.components.minimal_pairs import resources as kept
from pages.components.minimal_pairs.question import Question
from pages.components.shared import notices, resources
from pages.components.shared.file import File
from pages.components.shared.gathered import Part
from pages.components.shared.say_saved import say_saved
from pages.components.shared.show_downloads import show_menu
from pages.components.shared.show_receipt import Made, show_receipt


def show_exports(question: Question, findings: Findings, recipe: Recipe, parts: Sequence[Part] = ()) -> None:
    """Everything of an experiment that leaves the page; `recipe` is that of the model that is shown.

    `parts` are the tables and charts that are on the page.
    """
    made, methods = kept.receipt_of(question, recipe)
    title = question.experiment.source.name.rpartition(".")[0] or "experiment"
    found = packing.tables(findings, lambda: kept.tokens(question))
    tables = [Part(name, make) for name, make in found.items()]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_menu("experiment", [*parts, *tables], _for_programs(question, findings, title, made), all_formats=True)
        show_receipt(lambda: Made(made, methods, bibtex(keys(findings, recipe), recipe.model)), title)
        if paired := as_pairs(findings.design):
            _offer_to_save(findings.design, paired.columns, recipe, title)


def _for_programs(question: Question, findings: Findings, title: str, made: Mapping[str, Any]) -> list[File]:
    """Everything at once, in a workbook, in the published form and with programs that read it."""
    files = [
        File("Notebook", lambda: packing.notebook_archive(findings, title), f"{title}-notebook.zip"),
        File("Published TSV", lambda: packing.published_archive(findings, kept.tokens(question)), f"{title}-tsv.zip"),
        File("Workbook of all tables", lambda: packing.results_workbook(findings, kept.tokens(question), made),
             f"{title}.xlsx", SPREADSHEET),
    ]  # fmt: skip
    if findings.design.columns.conditions or "comparison" in findings.design.sentences:
        mixed = lambda: archive(packing.mixed_model_files(findings))  # noqa: E731
        files.insert(0, File("R and mixed model", mixed, f"{title}-mixed-model.zip"))
    return files


def _offer_to_save(design: Design, roles: Columns, recipe: Recipe, title: str) -> None:
    with st.popover("Save to Results", icon=":material/bookmark_add:"), st.container(width=420):
        named = st.text_input("Title", title, key=f"save_title_{title}")
        notices.write(
            "Whole sentences are saved, as pairs ($one against $other), so that this run can be found and compared "
            "with others.", "pl-quiet", one=roles.expected, other=roles.unexpected,
        )  # fmt: skip
        if not st.button("Save", type="primary"):
            return
        try:
            scorer = lambda: resources.scorer(recipe)  # noqa: E731
            run_id = save(items_to_save(design), recipe, resources.store(), title=named.strip(), scorer=scorer)
        except PairlensError as wrong:
            notices.error(wrong)
            return
        say_saved(run_id)

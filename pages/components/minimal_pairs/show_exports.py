"""The footer of an experiment: tables and programs to take away, Save to Results, How this number was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from core.files.exports import SPREADSHEET, archive
from core.runs.evaluate import save
from core.scoring.recipe import Recipe
from core.studies.experiment import packing
from core.studies.experiment.findings import Findings
from core.studies.experiment.receipt import citations
from core.types import Item
from pages.components.minimal_pairs import resources as kept
from pages.components.minimal_pairs.question import Question
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, show_menu
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.runs import say_saved


def show_exports(question: Question, findings: Findings, parts: Sequence[Part] = ()) -> None:
    """Everything of an experiment that leaves the page, of all its models.

    `parts` are the tables and charts that are on the page.
    """
    made, methods = kept.receipt_of(question)
    title = question.experiment.source.name.rpartition(".")[0] or "experiment"
    found = packing.tables(findings, lambda: kept.tokens(question))
    tables = [Part(name, make) for name, make in found.items()]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_menu("experiment", [*parts, *tables], _for_programs(question, findings, title, made), all_formats=True)
        show_receipt(lambda: Made(made, methods, citations(findings, question.recipes)), title)
        if items := findings.design.items():
            _offer_to_save(items, findings, question.recipes, title)
        else:
            st.button(
                "Save to Results", disabled=True, icon=":material/bookmark_add:",
                help="Results hold pairs of which one sentence should win; here are none. Download the tables.",
            )  # fmt: skip


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


def _offer_to_save(items: Sequence[Item], findings: Findings, recipes: Sequence[Recipe], title: str) -> None:
    """A run per model: the choices of the analysis are not part of a run."""
    roles = findings.design.columns
    with st.popover("Save to Results", icon=":material/bookmark_add:"), st.container(width=420):
        named = st.text_input("Title", title, key=f"save_title_{title}")
        notices.write(
            "$runs of whole sentences as pairs ($one against $other), by condition. Regions, words and interactions "
            "are not saved: download them.", "pl-quiet",
            runs=notices.counted(len(recipes), "run"), one=roles.expected, other=roles.unexpected,
        )  # fmt: skip
        if not st.button("Save", type="primary"):
            return
        for recipe in recipes:
            with notices.explained_errors():
                scorer = partial(resources.scorer, recipe)
                say_saved(save(items, recipe, resources.store(), title=named.strip(), scorer=scorer))

"""What an experiment found: the answer in words, the main chart, details in tabs, what can be taken away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.by_cond import overall
from core.analysis.interaction import Interaction
from core.errors import InputError
from core.files.exports import SPREADSHEET, archive
from core.files.tables import read_as
from core.runs.evaluate import save
from core.runs.receipts.sentences import note
from core.scoring.recipe import Recipe
from core.studies.experiment import packing, wording
from core.studies.experiment.design import Design
from core.studies.experiment.drawing import beside, tally, to_predict
from core.studies.experiment.findings import Findings
from core.studies.experiment.receipt import citations
from core.types import Item
from pages.components.minimal_pairs.charts import show_conditions, show_pairs, show_profile
from pages.components.minimal_pairs.findings import (
    Question,
    characters_of,
    columns_in_words,
    findings_of,
    interactions_of,
    receipt_of,
    refusals,
    tokens_of,
    windows_of,
)
from pages.components.minimal_pairs.interaction import show_analyses, show_interaction
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, gathered_downloads, show_downloads, show_menu
from pages.components.shared.experiment import Experiment
from pages.components.shared.models import choose_shown, offer_reader, unreadable, warn_of_characters
from pages.components.shared.predict_first import ask_for_better, choice_of, predicts_first, show_reveal
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.runs import say_saved
from pages.components.shared.tables import show_table, show_tabs

_LISTED = 1_000
_UNCROSSED = (
    "An interaction needs two factors (conditions, or a condition and the comparison) with two values each, and "
    "items that have all four cells."
)
_QUESTION = "experiment"
_READ = 500
"""So many sentences are looked at to tell whether a model can read them."""
_LEFT_OUT = {
    "model": "Model", "row": "Row", "sentid": "Sentence", "pairid": "Pair",
    "reason": st.column_config.TextColumn("Reason", width="large"),
}  # fmt: skip


def show_experiment(question: Question, factors: tuple[str, ...], facets: Sequence[str]) -> None:
    """All of it, for the models that have scores."""
    findings = findings_of(question)
    crossed, everywhere, reason = _crossed(question, factors)
    _show_finding(question, findings, crossed, everywhere)
    _show_own(findings)
    by_name = {recipe.model.name: recipe for recipe in question.recipes}
    recipe = by_name[choose_shown(list(by_name))]
    finding = _in_words(findings, recipe)
    crossing = wording.interaction_of(crossed, recipe.model.name, findings.analysis) if crossed else ""
    with gathered_downloads() as parts:
        show_profile(findings, recipe.model.name, facets, f"{finding} {crossing}".strip())
    shows: dict[str, Callable[[], None]] = {
        "Pairs": lambda: show_pairs(findings, recipe, finding),
        "Conditions": lambda: show_conditions(findings, recipe.model.name, finding),
        "Interaction": lambda: show_interaction(crossed, everywhere, reason, findings, recipe.model.name, crossing),
        "Words": lambda: _show_words(findings, recipe.model.name),
        "All policies": lambda: show_analyses(question, recipe, factors if crossed else ()),
        "Left out": lambda: _show_exclusions(question, findings),
    }
    if not wording.has_pairs(findings.design):
        del shows["Pairs"]
        if not crossed:
            del shows["All policies"]
    with gathered_downloads() as in_tab:
        show_tabs(shows, key="parts")
    _show_exports(question, findings, [*parts, *in_tab])


def _crossed(question: Question, factors: tuple[str, ...]) -> tuple[Interaction | None, Interaction | None, str]:
    if not factors:
        return None, None, _UNCROSSED
    try:
        return *interactions_of(question, factors), ""
    except InputError as wrong:
        return None, None, str(wrong)


def _in_words(findings: Findings, recipe: Recipe) -> str:
    if not wording.has_pairs(findings.design):
        return f"Mean surprisal of {wording.summary(findings.design)}"
    rows = overall(findings.by_cond)
    of_model = rows[rows["model"] == recipe.model.name]
    if of_model.empty:
        return "No pair can be compared."
    return wording.preference(of_model.iloc[0], wording.judged_by(findings), findings.design.columns)


def _show_words(findings: Findings, model: str) -> None:
    rows = findings.by_word[findings.by_word["model"] == model]
    if len(rows) > _LISTED:
        notices.write("The first $shown of $n words; the download has all.", "pl-quiet", shown=f"{_LISTED:,}",
                      n=f"{len(rows):,}")  # fmt: skip
    show_table(rows.head(_LISTED), alt="One row per word")
    show_downloads(f"by-word-{model}", rows)


def question_of(design: Design) -> object:
    """What is revealed together: all pairs that are asked for."""
    return _QUESTION, *to_predict(design)


def ask_for_pairs(design: Design) -> None:
    """The pairs, and the button that shows the results."""
    if pairs := list(to_predict(design)):
        ask_for_better(pairs, question_of(design))
    else:
        notices.note("The table has no pairs, so there is no better sentence to choose.")
        show_reveal(question_of(design))


def _show_own(findings: Findings) -> None:
    if not predicts_first() or not (pairs := to_predict(findings.design)):
        return
    table = beside(findings, {pair: choice_of(pair) for pair in pairs})
    if len(table):
        notices.text(tally(table, findings.design.columns.expected), "pl-second")
        show_table(table, alt="One row per pair that you decided: both sentences, your choice, each model's")


def show_design(design: Design, experiment: Experiment, measure: str) -> None:
    """The direction of every difference; the sentences, pairs and conditions; the columns that gave them."""
    if direction := wording.direction(design, measure):
        notices.text(direction)
    for remark in filter(None, (tell(design) for tell in wording.REMARKS)):
        notices.warning(remark)
    if said := wording.chunked(design):
        notices.warning(f"{said} To read chunks as regions, switch that on under Columns.")
    table, _ = resources.experiment_table(experiment.source)
    read = "" if experiment.source.ours else read_as(table)
    summary, columns = wording.summary(design), columns_in_words(experiment)
    notices.write("$summary $columns $read", "pl-quiet", summary=summary, columns=columns, read=read)


def _show_finding(
    question: Question, findings: Findings, interaction: Interaction | None, everywhere: Interaction | None
) -> None:
    """One headline per model, side by side; instead of it why the model cannot say anything about these sentences."""
    read = []
    for column, recipe in zip(st.columns(len(question.recipes), gap="large"), question.recipes, strict=True):
        with column, st.container(gap="xsmall"):
            if len(question.recipes) > 1:
                notices.text(recipe.model.name, "pl-quiet")
            if reason := _silent(question, findings, recipe):
                notices.instead(reason)
                continue
            read.append(recipe)
            _show_verdict(findings, recipe.model.name, interaction, everywhere)
            if wording.is_masked(recipe):
                notices.write("Pseudo-log-likelihood, each word seen with all others.", "pl-quiet")
            if long := note(windows_of(question, recipe)):
                notices.text(long, "pl-quiet")
    offer_reader(question.experiment.source.language, [recipe.model for recipe in question.recipes])
    warn_of_characters([characters_of(question.experiment)], read)
    if len({wording.is_masked(recipe) for recipe in question.recipes}) > 1:
        notices.note("Causal and masked models score on different scales: compare their choices, not their numbers.")


def _silent(question: Question, findings: Findings, recipe: Recipe) -> str:
    """Why there is no verdict: the model cannot read the sentences, or there is nothing to tell apart."""
    texts = list(findings.design.sentences["sentence"].unique()[:_READ])
    return unreadable(texts, recipe, question.experiment.source.language) or wording.all_identical(findings.design)


def _show_verdict(
    findings: Findings, model: str, interaction: Interaction | None, everywhere: Interaction | None
) -> None:
    crossed = [
        say(interaction, model, findings.analysis)
        for say in (wording.interaction_of, wording.effects_of)
        if interaction
    ]
    by_region = [*filter(None, [wording.by_region_of(everywhere, model, findings.analysis)])] if everywhere else []
    if wording.has_pairs(findings.design):
        rows = overall(findings.by_cond)
        _show_preference(findings, next((row for _, row in rows[rows["model"] == model].iterrows()), None))
        for text in (*reversed(crossed), *by_region):
            notices.text(text)
    elif wording.judged_by(findings) == "the region":
        _show_unpaired(findings, *crossed, *by_region)
    else:
        _show_unpaired(findings, *by_region, *crossed)


def _show_preference(findings: Findings, row: pd.Series | None) -> None:
    if row is None:
        notices.write("No pair can be compared.", "pl-headline")
        notices.write("What was left out, and why, is listed under Left out.", "pl-quiet")
        return
    text = wording.preference(row, wording.judged_by(findings), findings.design.columns)
    notices.text(text, "pl-headline")
    notices.text(wording.difference(row, findings), "pl-second")


def _show_unpaired(findings: Findings, *crossed: str) -> None:
    """The interaction, if there is one, and what else could be asked."""
    headline, advice = wording.why_no_pairs(findings.design)
    if not crossed:
        notices.text(headline, "pl-headline")
    for text, style in zip(crossed, ("pl-headline", "pl-second", "pl-plain"), strict=False):
        notices.text(text, style)
    notices.text(advice, "pl-quiet")


def _show_exclusions(question: Question, findings: Findings) -> None:
    """Rows that could not be read, sentences that could not be scored, pairs that could not be compared."""
    refused = [
        {"model": recipe.model.name, "row": 0, "sentid": sentid, "pairid": "", "reason": reason}
        for recipe in question.recipes
        for sentid, reason in refusals(question.experiment, recipe).items()
    ]
    table = pd.concat([findings.excluded, pd.DataFrame(refused, columns=list(_LEFT_OUT))], ignore_index=True)
    if table.empty:
        notices.write("Nothing is left out.")
        return
    notices.write("Rows are numbered as in your file: the column names of a table are row 1.", "pl-quiet")
    shown = table[list(_LEFT_OUT)].assign(row=table["row"].astype("Int64").where(table["row"] > 0))
    show_table(shown, column_config=_LEFT_OUT, alt="What is left out, and why")
    show_downloads("left-out", table)


def _show_exports(question: Question, findings: Findings, parts: Sequence[Part] = ()) -> None:
    """Everything of an experiment that leaves the page, of all its models.

    `parts` are the tables and charts that are on the page.
    """
    made, methods = receipt_of(question)
    title = question.experiment.source.name.rpartition(".")[0] or "experiment"
    found = packing.tables(findings, lambda: tokens_of(question))
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
        File("Published TSV", lambda: packing.published_archive(findings, tokens_of(question)), f"{title}-tsv.zip"),
        File("Workbook of all tables", lambda: packing.results_workbook(findings, tokens_of(question), made),
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

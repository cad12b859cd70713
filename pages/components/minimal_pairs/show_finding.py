"""An experiment's answer in words: how often the expected sentence wins, by how much, and where two factors meet."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.by_cond import overall
from core.analysis.interaction import Interaction
from core.runs.receipts.in_windows import note
from core.studies.experiment import wording
from core.studies.experiment.findings import Findings
from pages.components.minimal_pairs.question import Question
from pages.components.minimal_pairs.resources import characters, in_windows
from pages.components.shared import notices
from pages.components.shared.warn_of_language import warn_of_characters, warn_of_language


def show_finding(question: Question, findings: Findings, interaction: Interaction | None) -> None:
    """One headline per model, side by side."""
    paired = wording.has_pairs(findings.design)
    rows = {row["model"]: row for _, row in overall(findings.by_cond).iterrows()} if paired else {}
    for column, recipe in zip(st.columns(len(question.recipes), gap="large"), question.recipes, strict=True):
        with column, st.container(gap="xsmall"):
            name = recipe.model.name
            if len(question.recipes) > 1:
                notices.write("$name", "pl-quiet", name=name)
            crossed = [
                say(interaction, name, question.analysis)
                for say in (wording.interaction_of, wording.effects_of)
                if interaction
            ]
            if paired:
                _show_preference(findings, rows.get(name))
                for text in reversed(crossed):
                    notices.write("$text", text=text)
            else:
                _show_unpaired(*crossed)
            if wording.is_masked(recipe):
                notices.write("Pseudo-log-likelihood, each word seen with all others.", "pl-quiet")
            if long := note(in_windows(question, recipe)):
                notices.write("$long", "pl-quiet", long=long)
    warn_of_language(question.experiment.source.language, [recipe.model for recipe in question.recipes])
    warn_of_characters([characters(question.experiment)], question.recipes)
    if len({wording.is_masked(recipe) for recipe in question.recipes}) > 1:
        notices.note("Causal and masked models score on different scales: compare their choices, not their numbers.")


def _show_preference(findings: Findings, row: pd.Series | None) -> None:
    if row is None:
        notices.write("No pair can be compared.", "pl-headline")
        notices.write("What was left out, and why, is listed under Left out.", "pl-quiet")
        return
    notices.write("$text", "pl-headline", text=wording.preference(row, wording.judged_by(findings)))
    notices.write("$text", "pl-second", text=wording.difference(row, findings))


def _show_unpaired(*crossed: str) -> None:
    """The interaction, if there is one, and what else could be asked."""
    if not crossed:
        notices.write("Nothing is compared: the table has no pairs.", "pl-headline")
    for text, style in zip(crossed, ("pl-headline", "pl-second"), strict=False):
        notices.write("$text", style, text=text)
    notices.write(
        "To ask which of two sentences is preferred, name the columns of pairs and of the comparison.", "pl-quiet"
    )

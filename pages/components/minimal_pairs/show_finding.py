"""An experiment's answer in words: how often the expected sentence wins, by how much, and where two factors meet."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis.by_cond import overall
from core.analysis.interaction import Interaction
from core.runs.receipts.in_windows import note
from core.scoring.recipe import Recipe
from core.studies.experiment import wording
from core.studies.experiment.findings import Findings
from pages.components.minimal_pairs.question import Question
from pages.components.minimal_pairs.resources import characters, in_windows
from pages.components.shared import notices
from pages.components.shared.models import offer_reader, unreadable, warn_of_characters

_READ = 500
"""So many sentences are looked at to tell whether a model can read them."""


def show_finding(
    question: Question, findings: Findings, interaction: Interaction | None, everywhere: Interaction | None
) -> None:
    """One headline per model, side by side; instead of it why the model cannot say anything about these sentences."""
    read = []
    for column, recipe in zip(st.columns(len(question.recipes), gap="large"), question.recipes, strict=True):
        with column, st.container(gap="xsmall"):
            if len(question.recipes) > 1:
                notices.write("$name", "pl-quiet", name=recipe.model.name)
            if reason := _silent(question, findings, recipe):
                notices.instead(reason)
                continue
            read.append(recipe)
            _show_verdict(findings, recipe.model.name, interaction, everywhere)
            if wording.is_masked(recipe):
                notices.write("Pseudo-log-likelihood, each word seen with all others.", "pl-quiet")
            if long := note(in_windows(question, recipe)):
                notices.write("$long", "pl-quiet", long=long)
    offer_reader(question.experiment.source.language, [recipe.model for recipe in question.recipes])
    warn_of_characters([characters(question.experiment)], read)
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
            notices.write("$text", text=text)
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
    notices.write("$text", "pl-headline", text=text)
    notices.write("$text", "pl-second", text=wording.difference(row, findings))


def _show_unpaired(findings: Findings, *crossed: str) -> None:
    """The interaction, if there is one, and what else could be asked."""
    headline, advice = wording.why_no_pairs(findings.design)
    if not crossed:
        notices.write("$headline", "pl-headline", headline=headline)
    for text, style in zip(crossed, ("pl-headline", "pl-second", "pl-plain"), strict=False):
        notices.write("$text", style, text=text)
    notices.write("$advice", "pl-quiet", advice=advice)

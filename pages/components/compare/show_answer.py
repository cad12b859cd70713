"""The answer in words first: one headline per model and pair, and what to keep in mind about it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.studies.compare import Comparison, wording
from core.studies.compare.tables import pair_table
from core.studies.gallery import WorkedExample, outcome
from pages.components.shared import notices
from pages.components.shared.models import unreadable, warn_of_characters, warn_of_words
from pages.components.shared.predict_first import choice_of, predicts_first
from pages.components.shared.tables import show_table

_MARKS = {"A": '<i class="pl-member a"></i>', "B": '<i class="pl-member b"></i>'}


def show_answers(answers: Sequence[Sequence[Comparison]], example: WorkedExample | None) -> int:
    """One list of comparisons per model. Several pairs become a table; returns the place of the one in full."""
    choices = [choice_of(comparison.pair) for comparison in answers[0]] if predicts_first() else []
    opened = _choose_pair(answers, choices) if len(answers[0]) > 1 else 0
    if own := wording.beside(choices, answers):
        notices.write("$own", "pl-second", own=own)
    reasons = [nothing_to_say(comparisons[opened]) for comparisons in answers]
    for column, comparisons, reason in zip(st.columns(len(answers), gap="large"), answers, reasons, strict=True):
        with column:
            _headline(comparisons[opened], reason, named=len(answers) > 1)
    if len({comparisons[opened].left_to_right for comparisons in answers}) > 1:
        notices.note("Causal and masked models score on different scales: compare their choices, not their numbers.")
    if example is None or example.expected == "none":
        said = (wording.caution(some[opened]) for some, reason in zip(answers, reasons, strict=True) if not reason)
        for text in dict.fromkeys(filter(None, said)):
            notices.note(text)
    if example and not any(reasons):
        _expected(example, answers)
    return opened


def nothing_to_say(comparison: Comparison) -> str:
    """Why there is no verdict on this pair; else empty."""
    unread = "" if comparison.texts[0] == comparison.texts[1] else unreadable(comparison.pair, comparison.recipe)
    return unread or wording.same(comparison)


def _choose_pair(answers: Sequence[Sequence[Comparison]], choices: Sequence[str]) -> int:
    notices.write("$tallies", tallies=" ".join(map(wording.tally, answers)))
    table = pair_table(answers, choices)
    event = show_table(
        table, on_select="rerun", selection_mode="single-row", key="pairs",
        alt="One row per pair: the sentences and each model's answer",
    )  # fmt: skip
    rows = [row for row in event.selection.rows if row < len(table)]
    if rows:
        st.query_params["pair"] = str(rows[0] + 1)
    asked = st.query_params.get("pair", "1")
    opened = int(asked) - 1 if asked.isdecimal() and 0 < int(asked) <= len(table) else 0
    notices.write("Pair $number in full. Click another row to open it.", "pl-quiet", number=opened + 1)
    return opened


def _headline(comparison: Comparison, reason: str, *, named: bool) -> None:
    with st.container(gap="xsmall"):
        if named:
            notices.write("$name", "pl-quiet", name=comparison.recipe.model.name)
        if reason:
            notices.instead(reason)
            return
        warn_of_characters(comparison.pair, [comparison.recipe])
        warn_of_words(comparison.pair, comparison.recipe)
        mark = _MARKS.get(comparison.preferred, "")
        notices.write(f"{mark}$text", "pl-headline", text=wording.preference(comparison))
        if not comparison.left_to_right:
            notices.write("Pseudo-log-likelihood: each word seen with all others.", "pl-quiet")
        contrast = comparison.contrast
        said = (contrast.where, wording.ends(comparison), contrast.prefix_note, contrast.unscored_note)
        for text in filter(None, (*said, wording.windowed(comparison))):
            notices.write("$text", text=text)


def _expected(example: WorkedExample, answers: Sequence[Sequence[Comparison]]) -> None:
    outcomes = [outcome(example, comparisons) for comparisons in answers]
    notices.write("$phenomenon. $outcome", phenomenon=example.phenomenon, outcome=" ".join(outcomes))
    with st.expander("For teachers"):
        notices.write("$note", note=example.note)
        notices.write("On the phenomenon: $reference.", "pl-quiet", reference=example.reference)

"""Answers to an agreement set: in words, by attractors, distance, heuristics, item by item; several side by side."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.analysis import agreement_wording as wording
from pages.components.agreement.results import AgreementResult
from pages.components.agreement.show_footer import show_footer
from pages.components.agreement.show_groups import show_groups, show_heuristics
from pages.components.agreement.show_items import show_items, show_left_out
from pages.components.shared import notices
from pages.components.shared.choose_detail import choose_detail
from pages.components.shared.show_paired import show_paired
from pages.components.shared.show_tabs import show_tabs


def show_agreement(shown: Sequence[AgreementResult]) -> None:
    """Headlines, tabs and footers. All are about the same items."""
    first = shown[0].answers
    choosers = wording.beside(first.numbers)
    for one in shown:
        _headline(one, choosers if len(shown) == 1 else "")
    if choosers and len(shown) > 1:
        notices.write("$choosers", "pl-quiet", choosers=choosers)
    if first.participles:
        notices.note(wording.PARTICIPLES)
    runs = [one.result for one in shown if one.result]
    alike = [run for run in runs if run.rule == runs[0].rule]  # margins of another question are no comparison
    if len(alike) > 1:
        with notices.explained_errors():
            show_paired(alike, "accuracy")
    if len(alike) < len(runs):
        notices.write("Models of which another value is compared are not tested against these.", "pl-quiet")
    by_name = {one.name: one for one in shown}
    show_tabs(
        {
            "Attractors": lambda: show_groups(shown, "attractors"),
            "Distance": lambda: show_groups(shown, "distance"),
            "Heuristics": lambda: show_heuristics(shown),
            "Number": lambda: show_groups(shown, "number", "inverted", "type"),
            "Items by margin": lambda: show_items(choose_detail(by_name)),
            "Left out": lambda: show_left_out(choose_detail(by_name)),
        }
    )
    for one in shown:
        show_footer(one)


def _headline(one: AgreementResult, choosers: str) -> None:
    """The answer, the choosers beside it, and what stands behind it."""
    answers = one.answers
    with st.container(gap="xxsmall"):
        answer = wording.answer(answers.numbers)
        notices.write("<strong>$name</strong>: $answer", "pl-headline", name=one.name, answer=answer)
        behind = [choosers, wording.counts(answers.numbers, answers.policy.ties)]
        if answers.flips:
            behind.append(wording.flipped(answers.flips))
        for sentence in filter(None, behind):
            notices.write("$sentence", "pl-quiet", sentence=sentence)
        if caution := wording.caution(answers.numbers):
            notices.warning(caution)

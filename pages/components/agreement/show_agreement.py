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
from pages.components.shared.datasets import show_whole_set
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.paradigms import show_paired
from pages.components.shared.tables import choose_detail, show_tabs


def show_agreement(shown: Sequence[AgreementResult], chooser: str = "") -> None:
    """Headlines, tabs and footers. All are about the same items.

    `chooser` is the key of the control in which a published set can be chosen instead of our sample, if one can.
    """
    first = shown[0].answers
    choosers = wording.beside(first.numbers)
    for one in shown:
        _headline(one, choosers if len(shown) == 1 else "")
    if choosers and len(shown) > 1:
        notices.write("$choosers", "pl-quiet", choosers=choosers)
    if first.participles:
        notices.note(wording.PARTICIPLES)
    runs = [one.result for one in shown if one.result]
    show_whole_set(runs, chooser)
    if shown[0].sample and not chooser:
        st.page_link(
            "pages/zero_shot.py", label="Published sets of English, such as Linzen et al.: under Benchmarks",
            icon=":material/database:", query_params={"task": "linzen"},
        )  # fmt: skip
    alike = [run for run in runs if run.rule == runs[0].rule]  # margins of another question are no comparison
    if len(alike) > 1:
        with notices.explained_errors():
            show_paired(alike, "accuracy")
    if len(alike) < len(runs):
        notices.write("Models of which another value is compared are not tested against these.", "pl-quiet")
    by_name = {one.name: one for one in shown}
    with gathered_downloads() as parts:
        show_tabs(
            {
                "Attractors": lambda: show_groups(shown, "attractors"),
                "Distance": lambda: show_groups(shown, "distance"),
                "Heuristics": lambda: show_heuristics(shown),
                "Number": lambda: show_groups(shown, "number", "inverted", "type"),
                "Items by margin": lambda: show_items(choose_detail(by_name, "details_of_agreement")),
                "Left out": lambda: show_left_out(choose_detail(by_name, "details_of_agreement")),
            }
        )
    for place, one in enumerate(shown):
        show_footer(one, () if place else parts)


def _headline(one: AgreementResult, choosers: str) -> None:
    """The answer, the choosers beside it, and what stands behind it."""
    numbers = one.answers.numbers
    if one.unreadable:
        notices.instead(one.unreadable)
        return
    with st.container(gap="xxsmall"):
        answer = wording.answer(numbers, sample=one.sample)
        notices.write("<strong>$name</strong>: $answer", "pl-headline", name=one.name, answer=answer)
        for sentence in filter(None, (choosers, wording.counts(numbers, one.answers.policy.ties))):
            notices.write("$sentence", "pl-quiet", sentence=sentence)
        if faults := one.result and one.result.manifest.get("faults"):
            notices.note(faults)
        if caution := wording.caution(numbers):
            notices.warning(caution)

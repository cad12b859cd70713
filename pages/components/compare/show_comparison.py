"""One pair in full: the strip of words, the charts, and what the model expected at a place."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd
import streamlit as st

from core.charts.sentence_pair import WORD, difference_by_word, next_pieces, running_difference, surprisal_by_word
from core.errors import PairlensError
from core.studies.compare import Comparison, wording
from core.studies.compare.expectation import Expectation
from core.studies.compare.tables import step_table, word_table
from core.studies.next_word.wording import share
from pages.components.compare import resources
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.show_strip import show_strip

SHOWN = 24
"""Words that a chart shows at once; longer texts are shown from a place on."""


def show_comparison(comparison: Comparison, others: Sequence[Comparison] = ()) -> alt.LayerChart | None:
    """Strip and charts of one model; `others` join in the running difference. Returns the chart of the words."""
    words = word_table(comparison)
    if words.empty:
        notices.note("No word is left of these sentences under these choices: keep the punctuation to see some.")
        return None
    show_strip(words)
    start = _start(comparison)
    finding, unit = wording.preference(comparison), comparison.recipe.policy.unit
    chart = surprisal_by_word(_drawn(words, start), finding, unit)
    show_chart(chart, "surprisal_chart", on_click=_take_click)
    _show_differences(comparison, others, start)
    _show_place(comparison, words)
    return chart


def _start(comparison: Comparison) -> int:
    """The first word that is drawn: all of a short text, else near the first difference until moved."""
    n_words = len(comparison.contrast.frame)
    if n_words <= SHOWN:
        return 1
    first = comparison.contrast.first
    near = max(1, min((first.position if first else 0) - 4, n_words - SHOWN + 1))
    return int(
        st.slider(
            f"{SHOWN} of {n_words} words are drawn, from word", 1, n_words - SHOWN + 1, near, key="from",
            bind="query-params",
        )
    )  # fmt: skip


def _drawn(frame: pd.DataFrame, start: int) -> pd.DataFrame:
    return frame[frame["position"].between(start, start + SHOWN - 1)]


def _show_differences(comparison: Comparison, others: Sequence[Comparison], start: int) -> None:
    contrast, unit = comparison.contrast, comparison.recipe.policy.unit
    finding = contrast.where or wording.preference(comparison)
    if not contrast.additive:
        steps = _drawn(step_table(comparison), start).dropna(subset="difference")
        show_chart(difference_by_word(steps, finding, unit), "difference_chart")
        return
    additive = [comparison, *(other for other in others if other.contrast.additive)]
    steps = _drawn(pd.concat([step_table(one) for one in additive]), start)
    places = {"first difference": contrast.first, "settled": contrast.settled}
    marks = {name: place.position + 1 for name, place in places.items() if place}
    marks = {name: position for name, position in marks.items() if position in set(steps["position"])}
    show_chart(running_difference(steps, finding, unit, marks), "running_chart")


def _take_click() -> None:
    points = st.session_state["surprisal_chart"].selection.get(WORD, [])
    st.session_state["place"] = int(points[0]["position"]) if points else None


def _show_place(comparison: Comparison, words: pd.DataFrame) -> None:
    firsts = words.drop_duplicates("position")
    labels: dict[int, str] = dict(zip(firsts["position"], firsts["label"], strict=True))
    if st.session_state.get("place", next(iter(labels))) not in labels:
        st.session_state["place"] = None
    place = st.selectbox(
        "What did the model expect at", list(labels), index=None, key="place", width=360, bind="query-params",
        format_func=lambda n: f"{n}  {labels[n]}", placeholder="Click a bar above, or choose a word",
    )  # fmt: skip
    if place is None:
        return
    try:
        found = resources.expected(comparison, place)
    except PairlensError as error:
        notices.error(error)
        return
    if not found:
        notices.note("The first token of this word is not scored under these choices, so nothing was expected there.")
    for column, expected in zip(st.columns(2, gap="large"), found, strict=False):
        with column:
            _show_expectation(expected)


def _show_expectation(expected: Expectation) -> None:
    forms = ", ".join(f"{form} {share(probability)}" for form, probability in expected.forms)
    notices.write(
        'After <span class="pl-form">$before</span> … &nbsp; As whole words, once what stands before has ended: '
        '<span class="pl-form">$forms</span>.',
        before=expected.before or "the start", forms=forms,
    )  # fmt: skip
    uncertainty = wording.uncertainty(expected.entropy)
    notices.write(
        "Ten likeliest next tokens (· is a leading space). $uncertainty", "pl-quiet", uncertainty=uncertainty
    )
    finding = f"Likeliest token: {expected.pieces['piece'].iloc[0]}"
    show_chart(next_pieces(expected.pieces, finding), f"next_{expected.member}")

"""What the model expects at a place of a prefix: in words, as bars of words and of pieces, and to go on with."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts import next_word as next_word_charts
from core.scoring.recipe import Recipe
from core.studies.next_word import wording
from core.studies.next_word.next_token import NextTokens
from core.studies.next_word.wording import piece_bars, word_bars
from pages.components.next_word import resources
from pages.components.next_word.type_prefix import grow
from pages.components.shared import notices
from pages.components.shared.predict_first import choice_of
from pages.components.shared.show_chart import show_chart


def show_headline(seen: NextTokens, at_the_end: bool) -> None:
    """The answer in words."""
    notices.write("$text", "pl-headline", text=wording.expectation(seen))
    where = 'After <span class="pl-form">$before</span> … ' if not at_the_end else ""
    before, uncertainty = seen.text or "the start", wording.uncertainty(seen.entropy)
    notices.write(f"{where}$uncertainty", "pl-quiet", before=before, uncertainty=uncertainty)


def show_guess(typed: str, seen: NextTokens, recipe: Recipe) -> None:
    """The visitor's own guess, if she made one, with its probability."""
    if word := choice_of(typed):
        with notices.explained_errors():
            guess = wording.guess(resources.guessed(typed, word, recipe), seen)
            notices.write("$guess", "pl-second", guess=guess)


def show_expectation(seen: NextTokens, box: str) -> None:
    """Words beside pieces. Buttons and clicks on bars add to the prefix in the box of this key, if there is one."""
    words, pieces = st.columns(2, gap="large")
    with words:
        notices.write("<strong>Whole words</strong>, their ends counted")
        if seen.words is None:
            notices.note(seen.no_words)
        else:
            _bars(word_bars(seen), next_word_charts.WORD, seen.text, box)
        notices.write("$proof", "pl-quiet", proof=wording.proof(seen))
    with pieces:
        notices.write("<strong>Next tokens</strong> (· is a leading space; … the word may well go on)")
        _bars(piece_bars(seen), next_word_charts.PIECE, seen.text, box)


def _bars(frame: pd.DataFrame, what: str, text: str, box: str) -> None:
    finding = f"Likeliest {what.lower()}: " + ", ".join(
        f"{label} {wording.share(share)}" for label, share in zip(frame["label"], frame["probability"], strict=True)
    )
    key = f"next_{what}_{text}"
    chart = next_word_charts.likeliest(frame, finding, what, grows=bool(box))
    show_chart(chart, key, on_click=(lambda: _take_click(key, box)) if box else None)
    if box:
        _buttons(frame[frame["adds"] != ""], what, text, box)


def _buttons(frame: pd.DataFrame, what: str, text: str, box: str) -> None:
    """One button per word or piece: for keyboards, and for fingers."""
    labels = dict(zip(frame["adds"], frame["label"], strict=True))
    key = f"grow_{what}_{text}"
    st.pills(
        f"Go on with a {what.lower()}", list(labels), key=key, on_change=lambda: _take_choice(key, box),
        wrap=True, format_func=lambda adds: notices.literal(labels[adds].removesuffix("…")),
    )  # fmt: skip


def _take_click(key: str, box: str) -> None:
    points = st.session_state[key].selection.get(next_word_charts.GROWN, [])
    if points and points[0].get("adds"):
        grow(box, points[0]["adds"])


def _take_choice(key: str, box: str) -> None:
    if st.session_state[key]:
        grow(box, st.session_state[key])

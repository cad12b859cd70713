"""Which sentences of a text stay: all, or a language without some construction, with what would stay and go."""

from __future__ import annotations

import streamlit as st

from core.errors import PairlensError
from core.training.filtering import GRAMMARS, Filter
from pages.components.shared import notices
from pages.components.train import resources
from pages.components.train.choose_text import Text

LINK = ("keep", "drop")
_HELP = r"A regular expression: \b(who|which)\b finds the words who and which. Upper and lower case are the same."


def choose_grammar(text: Text) -> Filter | None:
    """None if the text or an expression cannot be read; the reason is said."""
    with st.popover("2 · Leave sentences out", icon=":material/filter_alt:"):
        notices.write(
            "Take a construction out of the text: what does the model make of sentences of a kind it has never read?",
            "pl-quiet",
        )
        st.pills(
            "Examples",
            [grammar.title for grammar in GRAMMARS],
            key="grammar",
            on_change=_take,
            persist_state="session",
        )
        drop = st.text_input("Drop sentences that match", key="drop", bind="query-params", help=_HELP)
        keep = st.text_input("Keep only sentences that match", key="keep", bind="query-params", help=_HELP)
        shown = st.container()
    try:
        chosen = Filter((keep or "").strip(), (drop or "").strip())
    except PairlensError as wrong:
        with shown:
            notices.error(wrong)
        notices.error(wrong)  # who follows a link sees the popover closed
        return None
    try:
        seen = resources.preview(text.path, text.column, chosen)
    except PairlensError as wrong:
        notices.error(wrong)
        return None
    if not chosen.idle:
        with shown:
            _show("out", seen.going)
            _show("in", seen.staying)
    n, words = notices.counted(seen.stay, "sentence"), resources.words(text.path, text.column)
    gone = f", {seen.go:,} left out" if seen.go else ""
    notices.write("<strong>$n</strong>$gone. The whole text has $words words.", n=n, gone=gone, words=f"{words:,}")
    return chosen


def _take() -> None:
    """Callback: the example's expression into the box."""
    title = st.session_state["grammar"]
    st.session_state["drop"] = next((grammar.drop for grammar in GRAMMARS if grammar.title == title), "")


def _show(label: str, sentences: tuple[str, ...]) -> None:
    for sentence in sentences:
        notices.write("<small>$label</small> $sentence", label=label, sentence=sentence)

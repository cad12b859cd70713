"""Which sentences of a text stay: all, or a language without some construction, with what would stay and go."""

from __future__ import annotations

import streamlit as st

from core.errors import PairlensError
from core.training.filtering import GRAMMARS, Filter
from pages.components.shared import notices
from pages.components.train import resources
from pages.components.train.choose_text import Text

LINK = ("keep", "drop")
_ALL = "All sentences"
_HELP = (
    r"A regular expression such as \b(who|which)\b, for the words who or which; capital and small letters count as "
    "the same."
)


def choose_grammar(text: Text) -> Filter | None:
    """None if the text or an expression cannot be read; the reason is said."""
    names = [_ALL, *(grammar.title for grammar in GRAMMARS)]
    with st.popover("2 · Leave sentences out", icon=":material/filter_alt:"):
        notices.write(
            "Grow a grammar without a construction: what does the model make of sentences it has never read the like "
            "of?",
            "pl-quiet",
        )
        st.pills("Examples", names[1:], key="grammar", on_change=_take)
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
            _show("goes", seen.going)
            _show("stays", seen.staying)
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

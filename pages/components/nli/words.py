"""The language of the page Entailment, which a visitor chooses, and what it calls labels."""

from collections.abc import Callable

import streamlit as st

from pairlens.files.labels import in_words
from pairlens.messages import Message
from pairlens.text.languages import Language

LANGUAGES = {"English": "en", "Português": "pt"}
KEY = "lang"
LABELS = (
    Message("entailment"), Message("paraphrase"), Message("none"), Message("contradiction"), Message("neutral"),
    Message("no answer"),
)  # fmt: skip
"""The labels of every system and what stands for a missing one: for the catalogue, which finds them here."""


class Words(Language):
    """Says everything on the page in one language."""

    def label(self, name: str) -> str:
        return self(in_words(name))


def words_of_visitor() -> Words:
    """The page's language before it is drawn: as chosen in this session, else as the link says."""
    chosen = st.session_state.get(KEY) or st.query_params.get(KEY) or _of_browser()
    return Words(LANGUAGES.get(chosen, "en"))


def _of_browser() -> str:
    """The language that the visitor's browser asks for, if the page has it, else English."""
    locale = (st.context.locale or "").partition("-")[0]
    return next((name for name, code in LANGUAGES.items() if code == locale), "English")


def choose_words(on_change: Callable[[], None]) -> Words:
    named = st.segmented_control(
        "Language · Idioma", list(LANGUAGES), default=_of_browser(), required=True, key=KEY, bind="query-params",
        label_visibility="collapsed", on_change=on_change,
    )  # fmt: skip
    return Words(LANGUAGES[named])

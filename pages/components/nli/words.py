"""The language of the page Entailment, which a visitor chooses, and what it calls labels."""

from __future__ import annotations

import streamlit as st

from core.messages import Message, either
from core.text.languages import Language

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
        """A label, or several that count as one."""
        return self(label(name))


def label(name: str) -> str:
    """A label, or several that count as one (`entailment or paraphrase`)."""
    return either(map(Message, name.split(" or ")))


def words_of_visitor() -> Words:
    """The page's language before it is drawn: as chosen in this session, else as the link says."""
    chosen = st.session_state.get(KEY) or st.query_params.get(KEY, "")
    return Words(LANGUAGES.get(chosen, "en"))


def choose_words() -> Words:
    """The language of the page, shared in its link."""
    named = st.segmented_control(
        "Language · Idioma", list(LANGUAGES), default="English", required=True, key=KEY, bind="query-params",
        label_visibility="collapsed",
    )  # fmt: skip
    return Words(LANGUAGES[named])

"""The question of the tab Inside: two beginnings and two forms, proposed by the pair that is compared, and typed."""

from __future__ import annotations

from difflib import SequenceMatcher

import streamlit as st

from core.errors import InputError
from core.settings import program
from core.studies.compare.typed import SentencePair
from core.studies.inside import Question
from core.studies.inside.proposal import proposals
from core.studies.next_word.forms import read_forms
from pages.components.shared import notices

FIRST, SECOND, FORMS = KEYS = ("beginning", "other", "decides")
"""The fields, in the link."""
_OF, _TYPED = "inside_of", "inside_typed"
"""In the session: the pair that the fields belong to, and what they held by pair."""
_MARKS = ".,;:!?…\"'“”‘’«»()[]¿¡"
_MOST_WORDS = 60
"""Of a beginning: each of its tokens is asked about in each layer, so time grows with the square of its length."""


def ask_inside(pair: SentencePair) -> Question | None:
    """The question in the fields. What is missing or cannot be read is said below them; then there is none."""
    proposed = _proposed(pair)
    _follow(pair, proposed)
    first, second, forms = (
        column.text_input(label, value, key=key, bind="query-params", placeholder=example)
        for column, label, value, key, example in zip(
            st.columns([3, 3, 2]),
            ("First beginning", "Second beginning, one place changed", "Two forms that come next"),
            proposed,
            KEYS,
            ("The keys to the cabinet", "The key to the cabinet", "are, is"),
            strict=True,
        )
    )
    st.session_state[_TYPED][pair] = first, second, forms
    _propose(first, second)
    if not all(text.strip() for text in (first, second, forms)):
        notices.note(_missing(first, second, forms))
        return None
    with notices.explained_errors():
        return _read(first, second, forms)
    return None


def _follow(pair: SentencePair, proposed: tuple[str, str, str]) -> None:
    """Another pair, another question: what was typed for it before, else what is proposed."""
    typed: dict[SentencePair, tuple[str, str, str]] = st.session_state.setdefault(_TYPED, {})
    if st.session_state.get(_OF, pair) != pair:
        for key, text in zip(KEYS, typed.get(pair, proposed), strict=True):
            st.session_state[key] = text
    st.session_state[_OF] = pair


def _proposed(pair: SentencePair) -> tuple[str, str, str]:
    """The words before the first difference, these with one word exchanged, and the two words that differ."""
    words = [text.split() for text in pair]
    shared = next((n for n, (a, b) in enumerate(zip(*words, strict=False)) if a != b), 0)
    if not shared:
        return "", "", ""
    beginning = " ".join(words[0][:shared])
    forms = [own[shared].strip(_MARKS) for own in words]
    decides = ", ".join(forms) if all(forms) and forms[0] != forms[1] else ""
    return beginning, next((one.text for one in proposals(beginning)), ""), decides


def _propose(first: str, second: str) -> None:
    """A button for each other beginning that the lexicon has for the first."""
    others = [one for one in proposals(first) if one.text != second] if first.strip() else []
    if others:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            with st.container(width="content"):
                notices.write("Another second beginning:", "pl-quiet")
            for one in others:
                label = f"{notices.literal(_change(first, one.text))} ({one.changed})"
                st.button(label, key=f"propose_{one.text}", type="tertiary", on_click=_take, args=(one.text,))


def _change(first: str, second: str) -> str:
    """The words that are exchanged: `keys → key`."""
    words = first.split(), second.split()
    changes = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
    return ", ".join(
        f"{' '.join(words[0][start:end])} → {' '.join(words[1][other:last])}"
        for kind, start, end, other, last in changes
        if kind != "equal"
    )


def _take(text: str) -> None:
    """Callback: a proposal into its field."""
    st.session_state[SECOND] = text


def _missing(first: str, second: str, forms: str) -> str:
    if not first.strip():
        return "Type a beginning and two forms that can come next: these sentences have no first words in common."
    if not second.strip():
        return "Type a second beginning: the first with one place changed, for example another number of its subject."
    return f"Type two forms that can come next, with a comma between them, for example: {forms.strip() or 'are, is'}."


def _read(first: str, second: str, forms: str) -> Question:
    named = read_forms(forms)
    if len(named) != 2:
        raise InputError(f"{len(named)} forms are typed; two are compared here, for example: are, is.")
    if max(len(text.split()) for text in (first, second)) > _MOST_WORDS:
        raise InputError(
            f"A beginning has more than {_MOST_WORDS} words, and each of its tokens is asked about in each layer: "
            f"shorten it, or use `{program()} inside` on the command line."
        )
    return Question(first, second, (named[0], named[1]))

"""Predict first: `?reveal=0` hides answers until somebody asks for them; one's own choice stands beside them.

Choices and what was revealed are in the address too, so that Back and a reload lose nothing; a shared link leaves
them out. Both are told by a hash of the question: other sentences are another question.
"""

import hashlib
from collections.abc import Iterable, Sequence

import streamlit as st

from pages.components.shared import notices
from pages.components.shared.link import MINE, SEEN, keep_in_link
from pages.components.shared.models import say_about
from pairlens.types import Model

HIDDEN = "reveal"
_SWITCH, _DIGITS, _MOST = "predict_first", 8, 80
_LONGEST_GUESS = 40
_HELP = "Hides the answer until it is asked for. A shared link hides it, too."


def predicts_first() -> bool:
    return st.query_params.get(HIDDEN) == "0"


def show_switch(models: Iterable[Model]) -> None:
    st.session_state[_SWITCH] = predicts_first()
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(gap=None):
            say_about(models)
        st.toggle("Predict first", key=_SWITCH, on_change=_take_switch, help=_HELP, width="content")


def _take_switch() -> None:
    keep_in_link(HIDDEN, "0", unless=not st.session_state[_SWITCH])
    for name in (MINE, SEEN):
        st.query_params.pop(name, None)


def is_revealed(question: object) -> bool:
    return not predicts_first() or was_revealed(question)


def was_revealed(question: object) -> bool:
    return _name(question) in st.query_params.get_all(SEEN)


def choice_of(question: object) -> str:
    name = _name(question)
    return next((one[_DIGITS:] for one in st.query_params.get_all(MINE) if one.startswith(name)), "")


def choose(question: object, choice: str) -> None:
    """Callback: this is the visitor's choice; an empty one takes it back."""
    name = _name(question)
    others = [one for one in st.query_params.get_all(MINE) if not one.startswith(name)]
    chosen = [*others, name + choice][-_MOST:] if choice else others
    keep_in_link(MINE, chosen, unless=not chosen)


def reveal(question: object) -> None:
    others = [one for one in st.query_params.get_all(SEEN) if one != _name(question)]
    st.query_params[SEEN] = [*others, _name(question)][-_MOST:]


def show_reveal(question: object, label: str = "Show the answer") -> None:
    st.button(
        label, type="primary", icon=":material/visibility:", on_click=reveal, args=(question,), key="show_the_answer"
    )


def ask_for_better(pairs: Sequence[tuple[str, str]], question: object) -> None:
    """The pairs, in each of which one sentence can be chosen, and the button that shows the answers."""
    several = len(pairs) > 1
    notices.write("Which sentence is better? Choose before you look.", "pl-second")
    for number, pair in enumerate(pairs, start=1):
        if several:
            notices.text(number, "pl-label")
        choose_better(pair)
    show_reveal(question, "Show the answers" if several else "Show the answer")


def choose_better(pair: tuple[str, str]) -> None:
    chosen = choice_of(pair)
    for column, letter, sentence in zip(st.columns(2), "AB", pair, strict=True):
        column.button(
            f"**{letter}**  {notices.literal(sentence)}", key=f"better_{letter}_{_name(pair)}", width="stretch",
            type="primary" if chosen == letter else "secondary",
            icon=":material/check:" if chosen == letter else None, on_click=choose, args=(pair, letter),
        )  # fmt: skip


def choose_form(question: object, forms: Sequence[str]) -> None:
    chosen, key = choice_of(question), f"form_{_name(question)}"
    st.session_state[key] = chosen if chosen in forms else None
    st.pills(
        "Which form comes next?", forms, key=key, format_func=notices.literal, wrap=True,
        on_change=_take, args=(question, key),
    )  # fmt: skip


def guess_word(question: object) -> None:
    key = f"guess_{_name(question)}"
    st.session_state[key] = choice_of(question)
    st.text_input(
        "Which word comes next?", key=key, max_chars=_LONGEST_GUESS, width=320, placeholder="Your guess",
        on_change=_take, args=(question, key),
    )  # fmt: skip


def _take(question: object, key: str) -> None:
    choose(question, str(st.session_state[key] or "").strip())


def _name(question: object) -> str:
    return hashlib.sha256(repr(question).encode()).hexdigest()[:_DIGITS]

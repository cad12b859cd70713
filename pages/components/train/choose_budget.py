"""How large a model and how long: what the time buys on this machine, which pairs are watched, and a name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import streamlit as st

from core.runs.estimate import duration_in_words
from core.store import uploads
from core.training.filtering import Filter
from core.training.own_models import free_name, trained_models
from core.training.recipe import SIZES, speed
from core.training.specification import Choice
from core.training.watched_pairs import SAMPLE, as_table, typed_pairs
from pages.components.shared import notices
from pages.components.train import resources
from pages.components.train.choose_text import Text

LINK = ("size", "kind_of_model", "minutes", "watched")
_KINDS = {"causal": "the next token", "masked": "masked tokens"}
_PAIRS = {"ours": "Ours: agreement and reflexives", "own": "Your own", "none": "None"}
_FIRST = """The teacher sings in the garden. | The teacher sing in the garden.
The keys in the box were very old. | The keys in the box was very old."""
_LONGEST = 24 * 60.0


def choose_budget(text: Text, chosen: Filter) -> Choice | None:
    """The whole choice; None, and the reason, if pairs cannot be read."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        size = st.segmented_control(
            "3 · Model", list(SIZES), default="tiny", required=True, key="size", bind="query-params",
            help="; ".join(f"{name}: {one.about}" for name, one in SIZES.items()),
        )  # fmt: skip
        kind = st.selectbox(
            "It predicts", list(_KINDS), format_func=_KINDS.__getitem__, key="kind_of_model", width=230,
            bind="query-params",
        )  # fmt: skip
        minutes = st.number_input(
            "Minutes", 0.1, _LONGEST, 3.0, 1.0, format="%g", key="minutes", bind="query-params", width=130
        )
    _say_what_it_buys(str(size), float(minutes), resources.words(text.path, text.column))
    pairs = _choose_pairs()
    # Another widget for every model: the browser would bring back the name that the last one has taken.
    key = f"name_of_model_{len(trained_models())}"
    name = st.text_input("Name of the model", free_name("my-model"), key=key, max_chars=64, bind="query-params")
    if pairs is None:
        return None
    return Choice(
        text.path, (name or "").strip(), str(kind), str(size), float(minutes), text.column, chosen, pairs or None
    )


def _say_what_it_buys(size: str, minutes: float, words: int) -> None:
    known = speed(size)
    epochs = known.epochs(minutes, words)
    notices.write(
        "<strong>$time</strong>: about $tokens tokens, $often. Speed: $rate tokens per second, $source.",
        "pl-quiet",
        time=duration_in_words(60 * minutes).capitalize(),
        tokens=f"{known.tokens(minutes):,}",
        often=f"{epochs:.1f} times the whole text" if epochs >= 1 else f"{epochs:.0%} of the text",
        rate=f"{known.tokens_per_second:,.0f}",
        source="measured on this machine" if known.measured else "a guess until a first model has been trained here",
    )


def _choose_pairs() -> Path | Literal[""] | None:
    """The file of pairs to watch, empty for none; None if they cannot be read."""
    chosen = st.selectbox(
        "Test pairs during training", list(_PAIRS), format_func=_PAIRS.__getitem__, key="watched", bind="query-params"
    )
    if chosen == "ours":
        return SAMPLE
    if chosen == "none":
        return ""
    typed = st.text_area(
        "Pairs", _FIRST, key="own_pairs", persist_state="session",
        help="One pair per line: the better sentence, a vertical bar, the worse one.",
    )  # fmt: skip
    with notices.explained_errors():
        return uploads.keep([("pairs.tsv", as_table(typed_pairs(typed or "")).encode())])
    return None

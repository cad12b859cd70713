"""The beginning of a text, which grows, and what the model expects at a place of it: in words and as bars."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.charts import next_word as next_word_charts
from core.scoring.recipe import Recipe
from core.studies.next_word import forms, wording
from core.studies.next_word.next_token import NextTokens, places
from core.studies.next_word.next_token import next_tokens as expected_at
from core.studies.next_word.prefix import Beginning, predictor, read_prefix, refuse_long
from core.studies.next_word.wording import piece_bars, word_bars
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart
from pages.components.shared.predict_first import choice_of

_GROWN = "prefixes_before"
"""Earlier prefixes, the last one at the end."""
_OPENED_WITH = "next_word_opened_with"
"""The example that was in the boxes before anything was typed."""
SHOWN = 24
"""Places that a chart shows at once; of longer prefixes the last ones."""


def type_prefix(first: str, key: str) -> str:
    """The prefix in its box, which begins with an example and is in the link as `key`."""
    with st.container(key="sentences"):
        typed = st.text_area(
            "Beginning of a text", first, key=key, height="content", bind="query-params",
            placeholder="Type the beginning of a sentence, or nothing for the beginning of a text",
            help="What comes next is asked after the last letter. A space at the end makes no difference.",
        )  # fmt: skip
    if st.session_state.get(_GROWN):
        st.button("Take back", icon=":material/undo:", on_click=_take_back, args=(key,), key="take_back")
    return str(typed)


def follow(first: Beginning, prefix: str, forms: str) -> None:
    """Another model's language, another example: as long as nothing else was typed, chosen or linked."""
    before: Beginning = st.session_state.get(_OPENED_WITH, first)
    if before != first and (st.session_state.get(prefix), st.session_state.get(forms)) == (
        before.prefix,
        before.forms,
    ):
        st.session_state[prefix], st.session_state[forms] = first.prefix, first.forms
    if not {prefix, forms} & set(st.query_params):
        st.session_state[_OPENED_WITH] = first


def replace_prefix(key: str, text: str) -> None:
    """Callback: another prefix; the one before is kept."""
    st.session_state.setdefault(_GROWN, []).append(st.session_state[key])
    st.session_state[key] = text


def grow(key: str, addition: str) -> None:
    """Callback: the prefix with something likely after it."""
    typed = str(st.session_state[key]).rstrip()
    replace_prefix(key, typed + addition if typed else addition.lstrip())


def _take_back(key: str) -> None:
    st.session_state[key] = st.session_state[_GROWN].pop()


def choose_place(places: pd.DataFrame, prefix: str) -> int:
    """The position of the place that is looked at: the end, until another one is clicked or chosen."""
    last = int(places["position"].iloc[-1])
    if len(places) == 1:
        return last
    key = f"place_of_{prefix}"
    if st.session_state.get(key) not in set(places["position"]):
        st.session_state[key] = last
    chosen = int(st.session_state[key])
    drawn = places.tail(SHOWN)
    finding = "Entropy in bits after each token: " + ", ".join(
        f"{label} {bits:.1f}" for label, bits in zip(drawn["label"], drawn["entropy"], strict=True)
    )
    chart = next_word_charts.uncertainty(drawn, finding, chosen)
    if len(drawn) < len(places):
        notices.write("The last $drawn of $all places", "pl-quiet", drawn=len(drawn), all=len(places))
    show_chart(chart, f"uncertainty_{prefix}", on_click=lambda: _take_click(f"uncertainty_{prefix}", key))
    labels = places.set_index("position")["label"].to_dict()
    st.selectbox(
        "What was expected after", list(labels), key=key, width=300, persist_state="session",
        format_func=lambda position: f"{position}  {labels[position]}" if position else str(labels[position]),
        help="Click a place in the line above, or choose one. Entropy is over tokens, in bits.",
    )  # fmt: skip
    return chosen


def _take_click(chart: str, key: str) -> None:
    points = st.session_state[chart].selection.get(next_word_charts.PLACE, [])
    if points:
        st.session_state[key] = int(points[0]["position"])


def show_headline(seen: NextTokens, at_the_end: bool) -> None:
    """The answer in words."""
    notices.text(wording.expectation(seen), "pl-headline")
    where = 'After <span class="pl-form">$before</span> … ' if not at_the_end else ""
    before, uncertainty = seen.text or "the start", wording.uncertainty(seen.entropy)
    notices.write(f"{where}$uncertainty", "pl-quiet", before=before, uncertainty=uncertainty)


def show_guess(typed: str, seen: NextTokens, recipe: Recipe) -> None:
    """The visitor's own guess, if she made one, with its probability."""
    if word := choice_of(typed):
        with notices.explained_errors():
            guess = wording.guess(_guessed(typed, word, recipe), seen)
            notices.text(guess, "pl-second")


def show_expectation(seen: NextTokens, box: str) -> None:
    """Words beside pieces. Buttons and clicks on bars add to the prefix in the box of this key, if there is one."""
    words, pieces = st.columns(2, gap="large")
    with words:
        notices.write("<strong>Whole words</strong>, their ends counted")
        if seen.words is None:
            notices.note(seen.no_words)
        else:
            _bars(word_bars(seen), next_word_charts.WORD, seen.text, box)
        notices.text(wording.proof(seen), "pl-quiet")
    with pieces:
        notices.write("<strong>Next tokens</strong> (· is a leading space; … the word may well go on)")
        _bars(piece_bars(seen), next_word_charts.PIECE, seen.text, box)


def _bars(frame: pd.DataFrame, what: str, text: str, box: str) -> None:
    finding = f"Likeliest {what.lower()}: " + ", ".join(
        f"{label} {wording.share(share)}" for label, share in zip(frame["label"], frame["probability"], strict=True)
    )
    key = f"next_{what}_{text}"
    chart = next_word_charts.likeliest(frame, finding, what, grows=bool(box))
    show_chart(chart, key, on_click=(lambda: _take_bar(key, box)) if box else None)
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


def _take_bar(key: str, box: str) -> None:
    points = st.session_state[key].selection.get(next_word_charts.GROWN, [])
    if points and points[0].get("adds"):
        grow(box, points[0]["adds"])


def _take_choice(key: str, box: str) -> None:
    if st.session_state[key]:
        grow(box, st.session_state[key])


def next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    """A prefix as the model reads it, and the uncertainty at each of its places; PairlensError in words."""
    refuse_long(typed)
    return _next_places(typed, recipe)


@resources.remembered("Asking …", 256)
def _next_places(typed: str, recipe: Recipe) -> tuple[str, pd.DataFrame]:
    prefix = read_prefix(typed, recipe)
    return prefix, places(prefix, predictor(recipe, partial(resources.model_cache().scorer, recipe)))


@resources.remembered("Asking …", 256)
def next_tokens(prefix: str, position: int, recipe: Recipe) -> NextTokens:
    """What is expected after so many pieces of a prefix (as the model reads it)."""
    return expected_at(
        prefix, position, predictor(recipe, partial(resources.model_cache().scorer, recipe)), recipe.policy
    )


@resources.remembered("Asking …", 256)
def _guessed(prefix: str, word: str, recipe: Recipe) -> forms.Form:
    """A word that was guessed after a prefix (both as typed); PairlensError in words."""
    return forms.guessed(prefix, word, recipe, resources.store(), partial(resources.model_cache().scorer, recipe))

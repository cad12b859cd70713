"""The sentence as an instrument: a word is chosen and changed, and the answer moves; twenty like it beside it."""

import streamlit as st

from pages.components.compare import resources
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart
from pages.components.shared.resources import model_cache, scorer, store
from pairlens.charts.sentence_pair import dots
from pairlens.errors import PairlensError
from pairlens.sharing import is_shared
from pairlens.studies.compare.change import Word, changed, words_of
from pairlens.studies.compare.pair import Comparison, in_unit
from pairlens.studies.compare.robustness import trial_sentence, try_variants
from pairlens.studies.compare.typed import SentencePair

_CHOSEN, _BEFORE, _NEW = "change_word", "before_change", "changed_to"
_MOST = 24
"""Words of a pair that is short enough to be played with."""


def show_change(comparison: Comparison, answer: str) -> None:
    """The words as buttons, a box for the chosen one, and the answer before the last change; `answer` is today's."""
    pair, words = comparison.pair, words_of(comparison.pair)
    if not 1 < len(words) <= _MOST:
        return
    _show_before(pair)
    with st.container(horizontal=True, vertical_alignment="bottom", key="change"):
        place = st.pills(
            "Change a word", range(len(words)), key=_CHOSEN, format_func=lambda n: notices.literal(words[n].text)
        )
        if place is not None and place < len(words):
            word, key = words[place], f"{_NEW}_{place}"
            st.session_state[key] = word.text
            st.text_input(
                f"In place of {notices.literal(word.text)}", key=key, width=180, on_change=_change,
                args=(pair, word, key, answer),
            )  # fmt: skip


def _change(pair: SentencePair, word: Word, key: str, answer: str) -> None:
    """Callback: the boxes of both sentences hold the new word; what was answered before is kept."""
    if text := st.session_state[key].strip():
        new = changed(pair, word, text)
        st.session_state[_BEFORE] = (new, pair, f"{word.text} → {text}", answer)
        st.session_state["a"], st.session_state["b"] = new


def _show_before(pair: SentencePair) -> None:
    new, old, change, answer = st.session_state.get(_BEFORE, ((), (), "", ""))
    if pair != new:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.write("$change. Before: $answer", "pl-quiet", change=change, answer=answer)
        st.button("Undo", key="undo_change", type="tertiary", on_click=_undo, args=(old,))


def _undo(old: SentencePair) -> None:
    st.session_state["a"], st.session_state["b"] = old
    st.session_state.pop(_BEFORE, None)


def show_dots(comparison: Comparison, expected: str) -> None:
    """Where this pair stands among twenty like it: with a small model that is loaded, for which nobody waits."""
    recipe = comparison.recipe
    if not (recipe.model.bundled and model_cache().holds(recipe)) or is_shared():
        return
    try:
        make = lambda: [try_variants(comparison, store(), lambda: scorer(recipe))]  # noqa: E731
        (frame,) = resources.once(("variants", comparison.pair), recipe, make)
    except PairlensError:  # no word of the pair is in the lexicon
        return
    own = in_unit(comparison.margin, recipe.policy.unit)
    sentence, unit = trial_sentence(frame, expected).removesuffix("."), recipe.policy.unit
    show_chart(dots(frame, own, f"{sentence} like it.", unit), "variants_chart")
    notices.text(f"{sentence} like it: how far A is ahead, in {unit}. The ring is this pair.", "pl-quiet")

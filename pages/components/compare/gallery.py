"""Worked examples: the gallery, and under the answer what its words mean and what to try next."""

from __future__ import annotations

import streamlit as st

from core.studies import gallery
from core.studies.compare.typed import SentencePair
from core.studies.gallery import WorkedExample, measured
from core.types import Model
from pages.components.compare import resources
from pages.components.shared import notices
from pages.components.shared.predict_first import predicts_first
from pages.components.shared.resources import catalogue

_TERMS = {
    "What is a language model?": (
        "A program that has read much text and says how likely each next word is, after any beginning. From its "
        "words follows how likely a sentence is. Likelier does not mean grammatical: common words and short "
        "sentences are always likelier, so the two sentences of a pair should differ in one place only."
    ),
    "What is a bit?": (
        "It says how much likelier. 1 bit: twice as likely; 2 bits: four times; 10 bits: about a thousand times. The "
        "surprisal of a word is the number of bits by which it was unexpected: 0 for a word that had to come."
    ),
}
_TRIES = {
    "attraction": "Attraction", "garden-path": "A garden path",
    "fr-attraction": "Attraction", "fr-participle": "A participle",
    "pt-attraction": "Attraction", "pt-subjunctive": "A mood",
}  # fmt: skip
"""Labels by example."""
_LANGUAGES = {"en": "English", "fr": "French", "pt": "Portuguese"}


def choose_example(model: Model | None) -> None:
    """A button that opens the gallery; choosing an example puts its sentences into the boxes."""
    if st.button("Gallery", icon=":material/menu_book:"):
        _gallery(model)


@st.dialog("Gallery", width="large")
def _gallery(model: Model | None) -> None:
    examples = resources.examples()
    read = gallery.languages_of(model.card if model else {}, examples)
    if not st.toggle("Other languages too", key="gallery_all"):
        examples = tuple(example for example in examples if example.language in read)
    ordered = sorted(examples, key=lambda example: example.language not in read)
    half = (len(ordered) + 1) // 2
    for column, some in zip(st.columns(2, gap="medium"), (ordered[:half], ordered[half:]), strict=True):
        for example in some:
            with column, st.container(gap=None, key=f"gallery_{example.id}"):
                _entry(example, model.name if model else "")


def _entry(example: WorkedExample, model_name: str) -> None:
    if st.button(example.title, key=f"take_{example.id}", type="tertiary", on_click=take, args=(example,)):
        st.rerun()
    outcome = "" if predicts_first() else measured(example, model_name)
    notices.write("$what", "pl-quiet", what=f"{example.phenomenon} · {outcome}" if outcome else example.phenomenon)


def take(example: WorkedExample) -> None:
    """Callback: the example's sentences into the boxes."""
    st.session_state["a"], st.session_state["b"] = both(example)


def both(example: WorkedExample) -> SentencePair:
    """An example as the two boxes hold it, with a line for each of its pairs."""
    first, second = ("\n".join(pair[member] for pair in example.pairs) for member in (0, 1))
    return first, second


def invite(model: Model) -> None:
    """One line: explanations behind a click, and pairs to try, in the model's language and in another one."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="invite"):
        for term, meaning in _TERMS.items():
            with st.popover(term, type="tertiary", key=f"term_{term}"), st.container(width=420):
                notices.write("$meaning", meaning=meaning)
        st.space("stretch")
        st.button("Type your own", type="tertiary", on_click=_empty)
        examples = resources.examples()
        own = gallery.languages_of(model.card, examples)
        for example in examples:
            if example.language == own[0] and (label := _TRIES.get(example.id)):
                st.button(label, type="tertiary", on_click=take, args=(example,), key=f"try_{example.id}")
        for language, label in _LANGUAGES.items():
            if language not in own:
                st.button(label, type="tertiary", on_click=_ask_in, args=(language,), key=f"try_{language}")


def _empty() -> None:
    st.session_state["a"] = st.session_state["b"] = ""


def _ask_in(language: str) -> None:
    """Callback: the bundled model of a language, and the pair that opens its gallery."""
    speakers = [one for one in catalogue() if one.bundled and language in str(one.card.get("language", "")).split()]
    if causal := [one for one in speakers if one.kind == "causal"]:
        st.session_state["model"] = [causal[0].name]
        take(gallery.first_in(language, resources.examples()))

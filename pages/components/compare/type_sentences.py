"""Two boxes, A and B: a sentence each, or one per line, typed, pasted from a spreadsheet, or from the gallery."""

from functools import partial

import streamlit as st

from pages.components.compare import resources
from pages.components.shared import notices
from pages.components.shared.link import follow_example
from pages.components.shared.predict_first import predicts_first
from pages.components.shared.resources import catalogue
from pairlens.studies import gallery
from pairlens.studies.compare.typed import Fields, SentencePair, check_size, n_differing, two_columns
from pairlens.studies.gallery import WorkedExample, measured
from pairlens.studies.study import controls
from pairlens.text import visible
from pairlens.types import Model

_PASTE = "Two columns copied from a spreadsheet can be pasted here: they fill A and B."
_EMPTY = "Type a sentence in A and another in B, or take a pair from the Gallery."
_ONE_WORD = 2
"""As `n_differing` counts one that is replaced."""
_BEFORE = "compare_answered"
"""The texts that were answered last."""


def type_sentences(model: Model | None) -> Fields | None:
    """What is in the boxes, in the link as `a` and `b`; None, and the reason is said, if it cannot be read."""
    examples = resources.examples()
    language = gallery.languages_of(model.card if model else {}, examples)[0]
    first = dict(zip("ab", both(gallery.first_in(language, examples)), strict=True))
    follow_example("compare_opened_with", first)
    with st.container(key="sentences"):
        for column, (key, control) in zip(st.columns(2), controls(Fields).items(), strict=True):
            column.text_area(
                control.label, first[key], key=key, height="content", help=f"{control.help} {_PASTE}",
                bind="query-params", placeholder="Type a sentence", on_change=_part, args=(key,),
            )  # fmt: skip
    typed = st.session_state["a"], st.session_state["b"]
    if not all(map(visible, typed)):
        notices.note(_EMPTY)
        return None
    if waits_for := _half_typed(typed):
        notices.note(f"{waits_for} is still from the pair before: type it too, and the answer comes.")
        as_they_are = partial(st.session_state.update, {_BEFORE: typed})
        st.button("Compare them as they are", key="as_they_are", on_click=as_they_are)
        return None
    st.session_state[_BEFORE] = typed
    question = Fields(*typed)
    with notices.explained_errors():
        check_size(question.pairs)
        return question
    return None


def _half_typed(typed: SentencePair) -> str:
    """The box that is as it was at the last answer, while the other has another sentence, not word, now."""
    before = st.session_state.get(_BEFORE, typed)
    same = [label for label, now, then in zip("AB", typed, before, strict=True) if now == then]
    if len(same) != 1:
        return ""  # long texts are not compared for nothing
    edited = max(map(n_differing, typed, before))
    return same[0] if min(edited, n_differing(*typed)) > _ONE_WORD else ""


def _part(pasted: str) -> None:
    """Callback: two columns that were pasted into one box fill both."""
    if columns := two_columns(st.session_state[pasted]):
        st.session_state["a"], st.session_state["b"] = columns


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
_LANGUAGES = {"en": "English", "fr": "French", "pt": "Portuguese"}


def choose_example(model: Model | None) -> None:
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
    for column, part in zip(st.columns(2, gap="medium"), (ordered[:half], ordered[half:]), strict=True):
        for example in part:
            with column, st.container(gap=None, key=f"gallery_{example.id}"):
                if st.button(
                    example.title, key=f"take_{example.id}", type="tertiary", on_click=take, args=(example,)
                ):
                    st.rerun()
                outcome = "" if predicts_first() or not model else measured(example, model.name)
                notices.text(f"{example.phenomenon} · {outcome}" if outcome else example.phenomenon, "pl-quiet")


def take(example: WorkedExample) -> None:
    st.session_state["a"], st.session_state["b"] = both(example)


def both(example: WorkedExample) -> SentencePair:
    """An example as the two boxes hold it, with a line for each of its pairs."""
    first, second = map("\n".join, zip(*example.pairs, strict=True))
    return first, second


def invite(model: Model) -> None:
    """One line: explanations behind a click, and pairs to try, in the model's language and in another one."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key="invite"):
        for term, meaning in _TERMS.items():
            with st.popover(term, type="tertiary", key=f"term_{term}"), st.container(width=420):
                notices.text(meaning)
        st.space("stretch")
        st.button("Type your own", type="tertiary", on_click=st.session_state.update, args=({"a": "", "b": ""},))
        examples = resources.examples()
        own = gallery.languages_of(model.card, examples)
        for example in examples:
            if example.language == own[0] and (label := _TRIES.get(example.id)):
                st.button(label, type="tertiary", on_click=take, args=(example,), key=f"try_{example.id}")
        for language, label in _LANGUAGES.items():
            if language not in own:
                st.button(label, type="tertiary", on_click=_ask_in, args=(language,), key=f"try_{language}")


def _ask_in(language: str) -> None:
    """Callback: the bundled model of a language, and the pair that opens its gallery."""
    speakers = [
        model for model in catalogue() if model.bundled and language in str(model.card.get("language", "")).split()
    ]
    if causal := [speaker for speaker in speakers if speaker.kind == "causal"]:
        st.session_state["model"] = [causal[0].name]
        take(gallery.first_in(language, resources.examples()))

"""What pairs of sentences came to, between reruns; how long texts will take, and a way to stop them."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import notices, resources
from pages.components.shared.frame import own_place
from pairlens.evaluation.estimate import duration_in_words
from pairlens.scorers import watched
from pairlens.scoring.model_cache import expected_seconds
from pairlens.scoring.recipe import Recipe
from pairlens.studies import gallery
from pairlens.studies.compare.pair import Comparison
from pairlens.studies.compare.study import STUDY
from pairlens.studies.compare.typed import Fields, SentencePair

T = TypeVar("T")


examples = st.cache_resource(show_spinner=False)(gallery.examples)


def warm_up(recipe: Recipe) -> None:
    """Load the recipe's scorer in the background, after the first paint was answered from stored scores."""
    if not resources.model_cache().holds(recipe):
        threading.Thread(target=partial(resources.model_cache().scorer, recipe), daemon=True).start()


def answer(question: Fields, recipe: Recipe, stop: Callable[[], None]) -> list[Comparison]:
    """A model's answer to what was typed."""
    scorer = partial(resources.model_cache().scorer, recipe)
    return once(question, recipe, partial(STUDY.answer, question, recipe, resources.store(), scorer), stop)


def once(what: object, recipe: Recipe, make: Callable[[], T], stop: Callable[[], None] | None = None) -> T:
    """What `make` returned first for `what` was asked; `stop` is called if somebody stops it. PairlensError."""
    answers = _answers(repr(what), recipe)
    with own_place():
        if not answers:  # not in `_answers`: what is cached cannot draw how far it is
            with in_view(recipe.model.name, stop), st.spinner("Scoring …"):
                answers.append(make())
    return cast(T, answers[0])


@st.cache_resource(max_entries=256, show_spinner=False, hash_funcs=resources.BY_IDENTITY)
def _answers(what: str, recipe: Recipe) -> list[Any]:  # noqa: ARG001
    return []


_LONG = 10.0
"""Seconds that nobody is asked about."""
_SAID = "waiting_agreed"
"""A question, and whether somebody wants its answer."""
_MOMENT, _EVERY_SECONDS = 1.0, 0.2
"""Seconds before anything is said, and between two signs of progress."""


def may_be_scored(pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> bool:
    """Whether to go on: at once if it will not take long, unless it was stopped; else when somebody has said so."""
    texts = [text for pair in pairs for text in pair]
    by_model = {recipe.model.name: expected_seconds(texts, recipe) for recipe in recipes}
    question, agreed = st.session_state.get(_SAID, (None, False))
    if agreed if question == _question(pairs, recipes) else sum(by_model.values()) < _LONG:
        return True
    slowest = max(by_model, key=lambda name: by_model[name])
    notices.note(
        f"Scoring these texts will take about {duration_in_words(sum(by_model.values()))} here, most of it with "
        f"{slowest}. A masked model reads the text once for each token of it; a causal one reads it once."
    )
    wanted = partial(answer_wanted, True, pairs, recipes)
    st.button("Score them", type="primary", icon=":material/play_arrow:", on_click=wanted)
    return False


def answer_wanted(wanted: bool, pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> None:
    """Callback: whether these pairs are to be scored, however long it takes."""
    st.session_state[_SAID] = _question(pairs, recipes), wanted


def _question(pairs: Sequence[SentencePair], recipes: Sequence[Recipe]) -> object:
    return tuple(pairs), tuple(recipe.fingerprint for recipe in recipes)


@contextmanager
def in_view(name: str, stop: Callable[[], None] | None = None) -> Iterator[None]:
    """Inside, what this model scores shows how far it is after a moment; any press, also on Stop, ends it."""
    place = st.empty()
    try:
        with watched(_Bar(place, name, stop)):
            yield
    finally:
        place.empty()


class _Bar:
    def __init__(self, place: DeltaGenerator, name: str, stop: Callable[[], None] | None) -> None:
        self._place, self._name, self._stop = place, name, stop
        self._opened = self._drawn = time.monotonic()
        self._begun: tuple[float, int] | None = None  # the first batch waits for measurements: it does not count
        self._bar: DeltaGenerator | None = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done and not self._begun:
            self._begun = now, done
        if now - self._opened < _MOMENT or now - self._drawn < _EVERY_SECONDS:
            return
        self._drawn, (since, before) = now, self._begun or (now, done)
        seconds = (now - since) * (total - done) / (done - before) if done > before else 0.0
        left = f", about {duration_in_words(seconds)} left" if seconds else ""
        waits = " waits for its turn: a model is being loaded or reads another text …"
        what = f": {done:,} of {total:,} tokens{left} …" if total else waits
        self._bar = self._bar or self._laid_out()
        self._bar.progress(done / total if total else 0.0, notices.literal(self._name) + what)

    def _laid_out(self) -> DeltaGenerator:
        with self._place, st.container(horizontal=True, vertical_alignment="center"):
            bar = st.progress(0.0)
            if self._stop:
                st.button("Stop", icon=":material/stop:", key=f"stop_{self._name}", on_click=self._stop)
        return bar

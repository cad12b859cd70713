"""Long texts are scored in view: how many tokens are done, how long it will take, and a way to stop it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.runs.estimate import duration_in_words
from core.scorers import watched
from pages.components.shared import notices

_MOMENT, _EVERY_SECONDS = 1.0, 0.2
"""Seconds before anything is said, and between two signs of progress."""


@contextmanager
def in_view(name: str, stop: Callable[[], None] | None = None) -> Iterator[None]:
    """Inside, what is scored with the model of this name shows how far it is once it takes more than a moment.

    Any press, also one on Stop, which then calls `stop`, ends the scoring at the next step of the bar.
    """
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
        self._drawn = now
        self._bar = self._bar or self._laid_out()
        self._bar.progress(done / total if total else 0.0, notices.literal(self._name) + self._said(done, total, now))

    def _said(self, done: int, total: int, now: float) -> str:
        if not total:
            return " waits for its turn: a model is being loaded or reads another text …"
        since, before = self._begun or (now, done)
        seconds = (now - since) * (total - done) / (done - before) if done > before else 0.0
        left = f", about {duration_in_words(seconds)} left" if seconds else ""
        return f": {done:,} of {total:,} tokens{left} …"

    def _laid_out(self) -> DeltaGenerator:
        with self._place, st.container(horizontal=True, vertical_alignment="center"):
            bar = st.progress(0.0)
            if self._stop:
                st.button("Stop", icon=":material/stop:", key=f"stop_{self._name}", on_click=self._stop)
        return bar

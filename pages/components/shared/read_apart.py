"""What takes long is read in a process of its own, while the page says how far it is and lets the visitor stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner_utils.script_run_context import in_cached_function

from core import identity
from core.errors import InputError
from core.files.apart import Watch
from core.files.tables import label
from core.messages import Message
from core.settings import settings
from pages.components.shared.frame import free_key, own_place

T = TypeVar("T")
_SMALL_MB = 32
"""Whatever is kept counts as so much at least."""
_CHANGING = threading.Lock()


def read_apart(
    name: str, key: tuple[object, ...], path: Path, make: Callable[[Watch], T], *,
    light: bool = False, doing: str = "", stop: Callable[[], None] | None = None, said: Callable[[str], str] = str,
) -> T:  # fmt: skip
    """What `make` returns, made once for each `key` of this `name` (`kept`).

    `light`: it is small, however much memory it takes to make it. `stop` is the callback of the button Cancel; by
    default the visitor who presses it reads nothing at this path any more. `said` says what is drawn in the page's
    language. InputError in words.
    """
    told: dict[str, Any] = {}

    def made(watch: Watch) -> T:
        return make(lambda new: (told.update(new or {}), watch(new)))

    def with_size() -> tuple[T, int]:
        found = _watched(f"{name}_{identity.digest(repr(key))}", path, made, doing, stop, said)
        return found, 0 if light else told.get("took", 0)

    with own_place():
        return kept(name, key, with_size)


def kept(name: str, key: tuple[object, ...], make: Callable[[], tuple[T, int]]) -> T:
    """What `make` returns with the megabytes that it takes, made once for each `key` of this `name`.

    All that is kept together takes `reading_memory_mb`; what was not asked for for longest is given up.
    """
    known, whole = _known(), (name, key)
    with _CHANGING:
        if found := known.pop(whole, None):
            known[whole] = found
    if not found:
        value, mb = make()
        found = value, max(mb, _SMALL_MB)
        with _CHANGING:
            known[whole] = found
            while len(known) > 1 and sum(each for _, each in known.values()) > settings().reading_memory_mb:
                known.pop(next(iter(known)))
    return cast(T, found[0])


@st.cache_resource(show_spinner=False)
def _known() -> dict[object, tuple[object, int]]:
    """A cache of Streamlit would replay what was drawn, and knows no memory."""
    return {}


def _watched(
    key: str, path: Path, make: Callable[[Watch], T], doing: str, stop: Callable[[], None] | None,
    said: Callable[[str], str],
) -> T:  # fmt: skip
    if in_cached_function.get():  # which could not draw it again
        return make(lambda _: None)
    stopped, title = f"stopped_{path}", doing or Message("Reading {file}", file=label(path))
    if st.session_state.get(stopped):
        raise InputError(Message("reading was stopped. To read it after all, reload the page."), label(path))
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        shown = st.progress(0.0, said(_line(title, {})))
        st.button(
            said(Message("Cancel")), icon=":material/stop:", key=free_key(f"cancel_{key}"),
            on_click=stop or partial(st.session_state.update, {stopped: True}),
        )  # fmt: skip
    try:
        return make(lambda told: _draw(shown, title, told or {}, said))
    finally:
        place.empty()


def _draw(shown: Any, title: str, told: dict[str, Any], said: Callable[[str], str]) -> None:
    """How far the process is. Streamlit ends the script here if the visitor has left or pressed something."""
    shown.progress(told["done"] / told["of"] if "of" in told else 0.0, said(_line(title, told)))


def _line(title: str, told: dict[str, Any]) -> Message:
    if "of" in told:
        return Message("{title}: {done} of {of} checks …", title=title, done=told["done"], of=told["of"])
    if "items" in told:
        return Message("{title}: {n:,} items so far …", title=title, n=told["items"])
    return Message("{title} …", title=title)

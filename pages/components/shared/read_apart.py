"""What takes long is read in a process of its own, while the page says how far it is and lets the visitor stop it."""

from __future__ import annotations

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
from pages.components.shared.free_key import free_key

T = TypeVar("T")


def read_apart(
    name: str, key: tuple[object, ...], path: Path, make: Callable[[Watch], T], *,
    most: int, doing: str = "", stop: Callable[[], None] | None = None, said: Callable[[str], str] = str,
) -> T:  # fmt: skip
    """What `make` returns, made once for each `key`; the newest `most` of this `name` are kept.

    `stop` is the callback of the button Cancel; by default the visitor who presses it reads nothing at this path any
    more. `said` says what is drawn in the page's language. InputError in words.
    """
    known = _known(name)
    if key not in known:
        made = _watched(f"{name}_{identity.digest(repr(key))}", path, make, doing, stop, said)
        for oldest in [*known][: max(0, len(known) - most + 1)]:  # a cache of streamlit would replay what was drawn
            known.pop(oldest, None)
        known[key] = made
    return cast(T, known[key])


@st.cache_resource
def _known(name: str) -> dict[object, object]:  # noqa: ARG001
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

"""Getting a public data set: what is asked first, how far it is, and a way to stop it; and deleting it again."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.files.datasets import Dataset, get, remove, state
from core.files.datasets.places import folder_of, mirroring
from core.runs.estimate import duration_in_words
from core.settings import settings
from pages.components.shared import notices

_ASKED = "asked_for"
_EVERY_SECONDS = 0.1
_STOPPED = "Stopped. Files that came whole are kept: getting it again goes on from there."


def megabytes(dataset: Dataset) -> str:
    """`1.2 MB`; empty if its size is not known."""
    return f"{max(dataset.size_bytes / 1e6, 0.1):,.1f} MB" if dataset.size_bytes else ""


def fetch_dataset(dataset: Dataset) -> None:
    """The button that gets it, or what its user has to do; nothing for one that is here."""
    where = state(dataset)
    if where == "here":
        return
    if where == "bring":
        notices.note(
            f"Not fetched by Pairlens. {dataset.bring} Then upload it under Your files, put it into "
            f"{folder_of(dataset)}, or give its path under Benchmarks."
        )
    elif where == "absent" and settings().offline:
        notices.note(
            "It is not here, and Pairlens is offline (PAIRLENS_OFFLINE): get it on a machine with a network, or "
            f"{mirroring(dataset)}."
        )
    else:
        _offer_to_get(dataset)


def _offer_to_get(dataset: Dataset) -> None:
    accepted = not dataset.needs_consent or st.checkbox(
        "Its authors state no licence: I have the right to use it.", key=f"accept_{dataset.name}"
    )
    if st.session_state.pop(_ASKED, "") != dataset.name:
        st.button(
            f"Get ({megabytes(dataset)})", type="primary", icon=":material/download:", disabled=not accepted,
            key=f"get_{dataset.name}", on_click=_ask_for, args=(dataset.name,),
        )  # fmt: skip
        return
    with st.container(horizontal=True, vertical_alignment="center", key="fetching"):
        bar = st.progress(0.0, f"Getting {notices.literal(dataset.title)} …")
        # A press stops the script at the next step of the bar.
        st.button("Cancel", icon=":material/stop:", on_click=_say_stopped)
    get(dataset, _Bar(bar), accepted=accepted)
    st.toast(f"{notices.literal(dataset.title)} is here.")
    st.rerun()


def _ask_for(name: str) -> None:
    st.session_state[_ASKED] = name


def _say_stopped() -> None:
    """Callback: the press itself has stopped the script."""
    st.toast(_STOPPED)


class _Bar:
    """A progress bar that is drawn ten times a second at most; time left is told by what came since it began."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar, self._drawn = bar, 0.0
        self._begun: tuple[float, int] | None = None

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        since, before = self._begun = self._begun or (now, done)
        if now - self._drawn < _EVERY_SECONDS:
            return
        self._drawn = now
        said = f"{done / 1e6:,.1f} of {total / 1e6:,.1f} MB"
        if (came := done - before) and (left := (now - since) * (total - done) / came) > 1:
            said += f" · about {duration_in_words(left)} left"
        self._bar.progress(min(done / total, 1.0), said)


def offer_to_remove(dataset: Dataset) -> None:
    """The button that deletes what was fetched, and what that means."""
    with st.popover("Delete", icon=":material/delete:"):
        notices.write("$size on this machine. It can be fetched again.", size=megabytes(dataset))
        if st.button("Delete it here", key=f"remove_{dataset.name}"):
            remove(dataset)
            st.rerun()

"""Getting a public data set: what is asked first, how far it is, and a way to stop it; and deleting it again."""

from __future__ import annotations

import time
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.files.datasets import Dataset, get, remove, state
from core.files.datasets.places import folder_of, mirroring
from core.messages import Message, joined
from core.runs.estimate import duration_in_words
from core.settings import settings
from core.sharing import why_not
from pages.components.shared import notices
from pages.components.shared.rights import rights

_ASKED = "asked_for"
_EVERY_SECONDS = 0.1
_STOPPED = "Stopped. Files that came whole are kept: getting it again goes on from there."


def megabytes(dataset: Dataset) -> str:
    """`1.2 MB`; empty if its size is not known."""
    return f"{max(dataset.size_bytes / 1e6, 0.1):,.1f} MB" if dataset.size_bytes else ""


def show_fetching(dataset: Dataset, said: Callable[[str], str] = str) -> None:
    """A set that is not here yet: what it is, under which licence, and the way to it."""
    facts = joined(filter(None, (_items(dataset), megabytes(dataset))), " · ")
    absent = Message("{title} is not on this machine yet: {facts}.", title=dataset.title, facts=facts)
    licence = (
        Message("licence not stated") if dataset.needs_consent else Message("licence {name}", name=dataset.licence)
    )
    notices.write("$said", said=said(absent))
    notices.write("$licence. $terms", "pl-quiet", licence=said(licence), terms=dataset.terms)
    with notices.explained_errors(said):
        fetch_dataset(dataset, said)


def _items(dataset: Dataset) -> str:
    """How many items it has, as a message that a language can write; else in the catalogue's words."""
    number, _, noun = dataset.items.partition(" ")
    digits = number.replace(",", "")
    return Message("{n:,} {noun}", n=int(digits), noun=Message(noun)) if digits.isdecimal() else dataset.items


def fetch_dataset(dataset: Dataset, said: Callable[[str], str] = str) -> None:
    """The button that gets it, or what its user has to do; nothing for one that is here.

    `said` puts sentences into the page's language.
    """
    where = state(dataset)
    if where == "here":
        return
    if not rights().may("fetch"):
        notices.write("$why", "pl-quiet", why=said(why_not("fetch")))
    elif where == "bring":
        notices.note(
            f"Not fetched by Pairlens. {dataset.bring} Then upload it under Your files, put it into "
            f"{folder_of(dataset)}, or give its path under Benchmarks."
        )
    elif where == "absent" and settings().offline:
        offline = Message(
            "It is not here, and Pairlens is offline (PAIRLENS_OFFLINE): get it on a machine with a network, or "
            "{otherwise}.",
            otherwise=mirroring(dataset),
        )
        notices.note(said(offline))
    else:
        _offer_to_get(dataset, said)


def _offer_to_get(dataset: Dataset, said: Callable[[str], str]) -> None:
    accepted = not dataset.needs_consent or st.checkbox(
        said("Its authors state no licence: I have the right to use it."), key=f"accept_{dataset.name}"
    )
    if st.session_state.get(_ASKED) != dataset.name:  # perhaps it is the next set on the page
        st.button(
            said(Message("Get ({size})", size=megabytes(dataset))), type="primary", icon=":material/download:",
            disabled=not accepted, key=f"get_{dataset.name}", on_click=ask_for, args=(dataset,),
        )  # fmt: skip
        return
    del st.session_state[_ASKED]
    with st.container(horizontal=True, vertical_alignment="center", key="fetching"):
        bar = st.progress(0.0, said(Message("Getting {name} …", name=notices.literal(dataset.title))))
        # A press stops the script at the next step of the bar.
        st.button(said("Cancel"), icon=":material/stop:", on_click=_say_stopped)
    get(dataset, _Bar(bar), accepted=accepted)
    st.toast(said(Message("{name} is here.", name=notices.literal(dataset.title))))
    st.rerun()


def ask_for(dataset: Dataset) -> None:
    """Callback: `fetch_dataset` begins at once the next time it shows this set."""
    st.session_state[_ASKED] = dataset.name


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

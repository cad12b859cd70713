"""Whether others than this machine's user reach the dashboard, and what its visitors may do then."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.config import is_manually_set

from core import sharing
from core.settings import settings
from core.sharing import Rights
from pages.components.shared import notices
from pages.components.shared.reached import by_options, by_others, by_request

_LOOKED, _EVERY_SECONDS = "looked_for_others", 10.0


def is_shared() -> bool:
    """Whether this dashboard is shared (`PAIRLENS_SHARED`); once it was seen to be, it is until the server ends."""
    choice = settings().shared
    if choice == "off":
        return False
    if not sharing.is_shared() and (why := "PAIRLENS_SHARED is on" if choice == "on" else _seen()):
        sharing.share(why)
    return sharing.is_shared()


def rights() -> Rights:
    """What visitors may do; InputError for a mistake in the settings."""
    is_shared()
    return sharing.rights()


def may_name_paths(parameter: str, value: str) -> bool:
    """Whether a control offers paths: where they are closed only to a link that asks for one, which is told why."""
    return rights().names_paths or st.query_params.get(parameter) == value


def path_of(typed: str | None, said: Callable[[str], str] = str) -> Path | None:
    """The path that a visitor typed; None if there is none, or, with the reason, if it may not be named."""
    with notices.explained_errors(said):
        if typed and typed.strip():
            return rights().path(typed)
    return None


def _seen() -> str:
    """What shows that others reach it, as a clause; empty if nothing does."""
    headers = st.context.headers
    peer = st.context.ip_address
    return (
        by_options(st.get_option, is_manually_set)
        or by_request({name: headers.get_all(name) for name in headers}, peer if isinstance(peer, str) else None)
        or ("visitors sign in ([auth] in secrets.toml)" if "is_logged_in" in st.user else "")
        or _by_others()
    )


def _by_others() -> str:
    """The same of the connections that are open now, at first and then now and then: the kernel makes a long list."""
    now = time.monotonic()
    if now < st.session_state.get(_LOOKED, -_EVERY_SECONDS) + _EVERY_SECONDS:
        return ""
    st.session_state[_LOOKED] = now
    return by_others(int(st.get_option("server.port")))

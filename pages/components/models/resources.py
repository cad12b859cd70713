"""What the page Models asks and keeps between reruns: which models are here, what a name would bring."""

from __future__ import annotations

import streamlit as st

from core.models.inventory import Entry, Offer, inventory, offer
from core.models.resolve import is_open
from core.sharing import Rights
from pages.components.shared.resources import catalogue, look_for_models
from pages.components.shared.rights import rights


def entries() -> list[Entry]:
    """The models on this machine that may be named, as the hub's cache and the catalogue are now."""
    return [entry for entry in inventory(catalogue()) if is_open(entry.name)]


def offered(source: str) -> Offer:
    """What a name would bring; ModelError in words."""
    return _offered(source, rights())


@st.cache_resource(ttl="1m", max_entries=64, show_spinner="Looking it up …", hash_funcs={Rights: repr})
def _offered(source: str, allowed: Rights) -> Offer:  # noqa: ARG001
    return offer(source)


def look_again() -> None:
    """A model was fetched."""
    look_for_models()
    _offered.clear()

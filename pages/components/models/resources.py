"""What the page Models asks and keeps between reruns: which models are here, what a name would bring."""

from __future__ import annotations

import streamlit as st

from core.models.inventory import Entry, inventory
from core.models.offer import Offer, offer
from pages.components.shared.resources import catalogue, model


def entries() -> list[Entry]:
    """Every model on this machine, as the hub's cache and the catalogue are now."""
    return inventory(catalogue())


@st.cache_resource(ttl="1m", max_entries=64, show_spinner="Looking it up …")
def offered(source: str) -> Offer:
    """What a name would bring; ModelError in words."""
    return offer(source)


def look_again() -> None:
    """A model was fetched."""
    for kept in (catalogue, model, offered):
        kept.clear()

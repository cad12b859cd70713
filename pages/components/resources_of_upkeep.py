"""What the server process keeps for the view of housekeeping."""

from __future__ import annotations

import streamlit as st

from core.settings import settings
from core.store import Store
from core.store.space import Space, space

_SECONDS = 20.0


def space_used() -> Space:
    """The room the store takes, counted again when a job ends, a run or part appears, or after some seconds."""
    store = Store()
    folders = [store.folder / "runs", *sorted((store.folder / "scores").glob("*/"))]
    seen = tuple((str(folder), folder.stat().st_mtime_ns) for folder in folders if folder.exists())
    return _space(str(settings().store), seen)


@st.cache_data(max_entries=4, ttl=_SECONDS, show_spinner="Counting …")
def _space(folder: str, seen: tuple[tuple[str, int], ...]) -> Space:  # noqa: ARG001
    return space(Store())

"""Which models this server holds in memory, how much that is, and a way to let one go."""

from __future__ import annotations

import streamlit as st

from core.scoring.model_cache import Held
from core.settings import settings
from pages.components.shared import notices, resources


def show_memory() -> None:
    """A line for each opened scorer, the newest first, with its button; the limit and what happens there."""
    held = resources.model_cache().held()
    used, most = sum(one.megabytes for one in held), settings().cached_models_mb
    limit = (
        f"At most {most:,} MB are kept (PAIRLENS_CACHED_MODELS_MB): above that, the one that was not asked for "
        "longest is let go. It is loaded again when it is next asked."
    )
    if not held:
        notices.note("No model is in memory now. One is loaded when a page first asks it for new numbers.")
    for one in reversed(held):
        _show(one)
    total = f"{used:,.1f} MB in all. " if len(held) > 1 else ""
    notices.write("$total$limit", "pl-quiet", total=total, limit=limit)


def _show(one: Held) -> None:
    recipe = one.recipe
    with st.container(horizontal=True, vertical_alignment="center", key=f"held_{recipe.fingerprint[:12]}"):
        st.button(
            "Let go", icon=":material/eject:", key=f"let_go_{recipe.fingerprint[:12]}",
            on_click=resources.model_cache().let_go, args=(recipe.fingerprint,), width=120,
        )  # fmt: skip
        notices.write(
            "<strong>$name</strong> · $scorer · $dtype · $size", name=recipe.model.name, scorer=recipe.kind.title,
            dtype=recipe.policy.dtype, size=f"{one.megabytes:,.1f} MB" if one.megabytes else "less than 1 MB",
        )  # fmt: skip

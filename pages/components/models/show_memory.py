"""Which models this server holds in memory: each once, with what keeps it, the memory it takes, and Unload."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.identity import digest
from core.policies import Policy
from core.scoring.model_cache import Held
from core.settings import settings
from pages.components.shared import notices, resources
from pages.components.shared.rights import rights

_USUAL = Policy()


def show_memory() -> None:
    """A line for each model, the one used last first; the limit and what happens there."""
    held = resources.model_cache().held()
    used, most = sum(one.megabytes for one in held), settings().cached_models_mb
    if not held:
        notices.note("No model is in memory. One is loaded when a page needs new scores from it.")
    models: dict[str, list[Held]] = {}
    for one in reversed(held):
        models.setdefault(str(one.recipe.model.folder), []).append(one)
    for folder, scorers in models.items():
        _show(folder, scorers)
    notices.write(
        "$total Limit: $limit (PAIRLENS_CACHED_MODELS_MB). Above it, the model that has not been used for longest is "
        "unloaded; it is loaded again when a page needs it.",
        "pl-quiet", total=f"{_size(used)} in all." if len(models) > 1 else "", limit=notices.size(most * 1e6),
    )  # fmt: skip


def _show(folder: str, scorers: Sequence[Held]) -> None:
    """One model: Unload drops all of its scorers."""
    key, count = digest(folder)[:12], len(scorers)
    with st.container(horizontal=True, vertical_alignment="center", key=f"held_{key}"):
        if rights().may("housekeeping"):
            st.button(
                "Unload", icon=":material/eject:", key=f"unload_{key}", on_click=_unload, args=(scorers,), width=120
            )
        with st.container(gap=None):
            notices.write(
                "<strong>$name</strong> · $size", name=scorers[0].recipe.model.name,
                size=_size(sum(one.megabytes for one in scorers)),
            )  # fmt: skip
            copies = f" ({count} copies: each way of scoring has its own)" if count > 1 else ""
            notices.write("Kept for $kept$copies", "pl-quiet", kept="; ".join(map(_kept, scorers)), copies=copies)


def _unload(scorers: Sequence[Held]) -> None:
    """Callback: free the memory of a model."""
    for one in scorers if rights().may("housekeeping") else ():
        resources.model_cache().let_go(one.recipe.fingerprint)


def _kept(one: Held) -> str:
    """The scorer, and those choices behind its scores that are not the usual ones."""
    usual, kind = _USUAL.scoring(one.recipe.kind.reads), one.recipe.kind
    choices = one.recipe.policy.scoring(kind.reads).items()
    said = [f"{name.replace('_', ' ')} {value}" for name, value in choices if usual.get(name) != value]
    return ", ".join([f"{kind.name} scores", *said])


def _size(megabytes: float) -> str:
    return notices.size(megabytes * 1e6) if megabytes >= 1 else "less than 1 MB"

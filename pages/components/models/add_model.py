"""Add a model by name: what it is before anything is fetched, the button that does it; and which are in memory."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.identity import digest
from core.models.inventory import Offer, offer, offer_in_words
from core.models.resolve import refuse_closed
from core.policies import Policy
from core.scoring.model_cache import Held
from core.settings import settings
from core.sharing import Rights, why_not
from core.store import jobs
from pages.components.models.show_card import open_in_compare
from pages.components.shared import notices, resources
from pages.components.shared.jobs import watch_jobs
from pages.components.shared.models import SCORABLE
from pages.components.shared.resources import look_for_models
from pages.components.shared.rights import rights
from pages.components.shared.tables import show_table

NAMED = "named"
_VERB, _COUNTED = "models", "MB"
_SEEN = "seen_fetch"
_HELP = "org/name, org/name@revision, or a folder: ./folder. Only safetensors and tokenizer files are fetched."
_USUAL = Policy()


def add_model() -> None:
    """The box, what the name would bring, and fetching it as a job. ModelError in words."""
    if not rights().names_models:
        notices.text(why_not("hub"), "pl-quiet")
        return
    source = st.text_input(
        "Name on the Hugging Face hub, or a folder", key=NAMED, bind="query-params", help=_HELP, width=420,
        placeholder="org/name or ./folder",
    ).strip()  # fmt: skip
    watch_jobs(_VERB, _COUNTED)
    if not source:
        offline = " Pairlens is offline (PAIRLENS_OFFLINE): only models on this machine can be used."
        notices.write(
            "Kind, size and licence are shown before anything is fetched.$more", "pl-quiet",
            more=offline if settings().offline else "",
        )  # fmt: skip
        return
    latest = jobs.latest((_VERB, "fetch", source))
    if latest and not latest.ended:
        return
    if latest and latest.state == "done" and st.session_state.get(_SEEN) != latest.id:
        st.session_state[_SEEN] = latest.id
        look_for_models()
        _offer.clear()
        st.rerun()
    found = _offer(source, rights())
    notices.write("$said.", said=offer_in_words(found))
    if found.folder is None:
        _offer_to_fetch(source, found, latest)
    elif found.kind in SCORABLE:
        open_in_compare(source)


def _offer_to_fetch(source: str, found: Offer, latest: jobs.Job | None) -> None:
    if latest and latest.error:
        notices.error(latest.error)
    if latest and latest.state == "cancelled":
        notices.note("Stopped. Complete files are kept: fetching again continues from there.")
    with st.expander(notices.counted(len(found.files), "file")):
        show_table(
            pd.DataFrame(found.files.items(), columns=["file", "bytes"]),
            column_config={"file": "File", "bytes": st.column_config.NumberColumn("Bytes", format="localized")},
            alt="Files to fetch",
        )  # fmt: skip
    st.button(
        f"Fetch ({max(found.megabytes, 0.1):,.1f} MB)", type="primary", icon=":material/download:", key="fetch_model",
        on_click=_fetch, args=(source,),
    )  # fmt: skip


def _fetch(source: str) -> None:
    with notices.explained_errors():
        refuse_closed(source)
        jobs.start((_VERB, "fetch", source), f"Fetching {source}")


@st.cache_resource(ttl="1m", max_entries=64, show_spinner="Looking it up …", hash_funcs={Rights: repr})
def _offer(source: str, allowed: Rights) -> Offer:  # noqa: ARG001
    """What a name would bring, to somebody who may name as much; ModelError in words."""
    return offer(source)


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
        _show_held(folder, scorers)
    notices.write(
        "$total Limit: $limit (PAIRLENS_CACHED_MODELS_MB). Above it, the model that has not been used for longest is "
        "unloaded; it is loaded again when a page needs it.",
        "pl-quiet", total=f"{_size(used)} in all." if len(models) > 1 else "", limit=notices.size(most * 1e6),
    )  # fmt: skip


def _show_held(folder: str, scorers: Sequence[Held]) -> None:
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

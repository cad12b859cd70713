"""Add a model by name: what it is, its size and licence, before anything is fetched; then the button that does it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.models.inventory import Offer, offer_in_words
from core.models.resolve import refuse_closed
from core.settings import settings
from core.sharing import why_not
from core.store import jobs
from pages.components.models import resources
from pages.components.models.show_card import open_in_compare
from pages.components.shared import notices
from pages.components.shared.choose_models import SCORABLE
from pages.components.shared.rights import rights
from pages.components.shared.show_table import show_table
from pages.components.shared.watch_jobs import watch_jobs

NAMED = "named"
_VERB, _COUNTED = "models", "MB"
_SEEN = "seen_fetch"
_HELP = "org/name, org/name@revision, or a folder: ./folder. Only safetensors and tokenizer files are fetched."


def add_model() -> None:
    """The box, what the name would bring, and fetching it as a job. ModelError in words."""
    if not rights().names_models:
        notices.write("$why", "pl-quiet", why=why_not("hub"))
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
        resources.look_again()
        st.rerun()
    found = resources.offered(source)
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
    """Callback: fetch it as a job."""
    with notices.explained_errors():
        refuse_closed(source)
        jobs.start((_VERB, "fetch", source), f"Fetching {source}")

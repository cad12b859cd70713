"""One run in full: its numbers in words, its items, how they were made, other policies, what to take along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.runs.result import Result
from core.runs.run_list import title_of
from core.store import visitors
from core.store.run_annotations import LOST, Annotations, annotations_of
from core.studies.agreement.answers import SETS
from pages.components.results.show_made import show_made
from pages.components.results.show_reproduction import show_reproduction
from pages.components.shared import notices, resources
from pages.components.shared.headlines import show_headlines
from pages.components.shared.items import show_items, show_undecided
from pages.components.shared.paradigms import choose_metric, show_paradigms
from pages.components.shared.run_policies import show_run_policies
from pages.components.shared.show_mean_map import show_mean_map
from pages.components.shared.tables import show_tabs

OWN_PAGES = {"Entailment": "pages/nli.py", "Stereotypes": "pages/stereoset.py"}
"""Pages of tasks whose runs are not opened there, by the name that the task gives its page."""


def show_stored_run(run_id: str) -> None:
    """The run that is opened; what is to be done about one that is not finished."""
    manifest = resources.store().manifest(run_id)
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header(notices.literal(title_of(manifest)), anchor=False)
        st.space("stretch")
        st.button("Close", icon=":material/close:", on_click=_close)
    _say_where_from(run_id, manifest)
    if manifest["state"] != "done":
        why = manifest.get("error") or "It is not finished."
        notices.note(
            f"This run is {manifest['state']}. {why} Its scores so far are stored: start it again to continue."
        )
        return
    result = resources.result(run_id)
    show_headlines([result])
    if result.manifest["n"] and result.candidates["logprob"].isna().all():
        notices.warning(
            "The scores of this run are no longer stored, so its items cannot be shown. Run it again to score its "
            "texts again; the number stays."
        )
    notices.write("$signature", "pl-piece pl-quiet", signature=manifest["signature"])
    _, _, clicked = show_paradigms([result], choose_metric(result))
    _show_tabs(run_id, result, clicked)


def _close() -> None:
    """Callback: the link names no run any more."""
    st.query_params.pop("run", None)


def _say_where_from(run_id: str, manifest: Mapping[str, Any]) -> None:
    """Tags and note, and what cannot be vouched for because it was made elsewhere."""
    said = annotations_of(resources.store(), run_id)
    if not visitors.may_change("runs", run_id):
        said = Annotations()
    if said.damaged:
        notices.warning(f"{LOST} Write them again, or leave it at that: the notice goes with the next tag or note.")
    if said.tags or said.note:
        tags = " · ".join(said.tags)
        notices.write("<strong>$tags</strong> $note", "pl-quiet", tags=tags, note=said.note)
    if "stated" in manifest:
        notices.warning(
            f"Scored by another program: model, policy and log-probabilities come from the file "
            f"'{manifest['stated'].get('file', '')}' and have not been checked by Pairlens."
        )
    elif "arrived" in manifest:
        notices.note(f"Imported on {manifest['arrived']['when'][:10]}; scored on another machine.")


def _show_tabs(run_id: str, result: Result, paradigm: str | None) -> None:
    maps = {"Map": lambda: show_mean_map(run_id)} if result.task.name == "inside" else {}
    show_tabs(
        {
            **maps,
            "Items by margin": lambda: show_items(result, paradigm),
            "How this number was made": lambda: show_made(run_id),
            "All policies": lambda: show_run_policies(run_id),
            "Report and code": lambda: show_reproduction(run_id),
            "Ties and exclusions": lambda: show_undecided(result),
        },
        key="stored_detail",
    )
    usual = "pages/agreement.py" if result.task.name in SETS else "pages/zero_shot.py"
    own = result.task.page  # on which runs are not opened
    page, opened = (OWN_PAGES[own], {}) if own else (usual, {"run": run_id})
    st.page_link(page, label="Open its page", icon=":material/open_in_new:", query_params=opened)

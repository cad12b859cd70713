"""How this number was made: everything needed to get it again, to read, to copy and to download."""

from collections.abc import Callable

import streamlit as st

from pages.components.shared import notices, resources
from pairlens.evaluation.receipts.methods import provenance
from pairlens.evaluation.receipts.run import as_json
from pairlens.messages import Message
from pairlens.results.result import Provenance
from pairlens.sharing import without_places

TITLE = Message("How this number was made")
Made = Provenance
"""What pages call it whose studies have no result (`pairlens.results`) yet."""


def show_receipt(make: Callable[[], Made], key: str, translate: Callable[[str], str] = str) -> None:
    """The footer's control; what it shows is made when it is pressed. `key` tells several on a page apart."""
    if st.button(translate(TITLE), icon=":material/receipt_long:", key=f"made_{key}"):
        st.dialog(translate(TITLE), width="large")(_show)(make, key, translate)


def _show(make: Callable[[], Made], key: str, translate: Callable[[str], str]) -> None:
    with notices.explained_errors(translate):
        receipt = make()
        for run_id in receipt.run_ids:
            st.page_link(
                "pages/results.py", label=translate("Follow it down to the tokens, in Results"),
                icon=":material/account_tree:",
                query_params={"view": "runs", "run": run_id},
            )  # fmt: skip
        show_parts(receipt, key, translate)


def show_parts(parts: Made, key: str, translate: Callable[[str], str] = str) -> None:
    """The signature; how to make it again, to copy; Methods sentence, BibTeX and JSON, to copy and to download."""
    if parts.signature:
        notices.text(parts.signature, "pl-piece pl-quiet")
    for title, again, syntax in (
        (Message("The same from the command line"), parts.command, "bash"),
        (Message("The same in Python"), parts.call, "python"),
    ):
        if again:
            notices.text(translate(title), "pl-label")
            st.code(without_places(again), language=syntax, wrap_lines=True)
    for title, text, language, file, height in (
        (Message("For a Methods section"), parts.methods, None, f"{key}-methods.txt", None),
        (Message("To cite"), parts.bibtex, "latex", f"{key}.bib", 240),
        (Message("Everything that went into it"), as_json(parts.receipt), "json", f"{key}.json", 320),
    ):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            notices.text(translate(title), "pl-label")
            st.download_button(
                translate("Download"), text, file, key=f"get_made_{file}", on_click="ignore",
                icon=":material/download:", type="tertiary",
            )  # fmt: skip
        st.code(text, language=language, wrap_lines=True, height=height or "content")


def receipt_of_run(run_id: str, metric: str = "", group: str = "") -> Made:
    """How a number of a run was made, a few items worked out; StoreError or PolicyError in words."""
    return _receipt_of_run(run_id, state_of(run_id), metric, group)


@resources.remembered("Following the number …", 32)
def _receipt_of_run(run_id: str, state: tuple[object, ...], metric: str, group: str) -> Made:  # noqa: ARG001
    return provenance(resources.store(), run_id, metric, group)


def state_of(run_id: str) -> tuple[object, ...]:
    manifest = resources.store().manifest(run_id)
    return manifest["state"], manifest.get("finished")

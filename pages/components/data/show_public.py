"""A public data set in full: what it is, what its licence asks and forbids, how it is cited, its files."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.files.datasets import Dataset, state
from core.tasks import TASKS
from pages.components.shared import notices
from pages.components.shared.datasets import fetch_dataset, megabytes, offer_to_remove
from pages.components.shared.rights import rights
from pages.components.shared.tables import show_table

_LANGUAGES = {
    "de": "German", "en": "English", "fr": "French", "he": "Hebrew", "it": "Italian", "pt": "Portuguese",
    "ru": "Russian",
}  # fmt: skip


def show_public(dataset: Dataset) -> None:
    """What a visitor should know before using it, and the buttons that get and delete it."""
    notices.write("<strong>$title</strong>", "pl-second", title=dataset.title)
    languages = ", ".join(_LANGUAGES.get(code, code) for code in dataset.languages)
    facts = [languages, dataset.items, megabytes(dataset)]
    notices.write("$about $facts.", about=dataset.about, facts=" · ".join(fact for fact in facts if fact))
    notices.write("<strong>Licence: $licence.</strong> $terms", licence=dataset.licence, terms=dataset.terms)
    if dataset.task in TASKS and TASKS[dataset.task].confidential:
        notices.write("Its texts are confidential: this page shows only ids, groups and numbers.")
    notices.write(
        'From <a href="$address" target="_blank" rel="noopener">$address</a>', "pl-quiet", address=dataset.address
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"), notices.explained_errors():
        with st.popover("Cite", icon=":material/format_quote:"):
            st.code(dataset.citation, language=None, wrap_lines=True)
        if dataset.files:
            with st.popover(notices.counted(len(dataset.files), "file"), icon=":material/folder_open:"):
                _show_files(dataset)
        if state(dataset) == "here" and dataset.fetchable and rights().may("housekeeping"):
            offer_to_remove(dataset)
    with notices.explained_errors():
        fetch_dataset(dataset)


def _show_files(dataset: Dataset) -> None:
    files = [(path, file.size, file.sha256) for path, file in dataset.files.items()]
    show_table(
        pd.DataFrame(files, columns=["path", "bytes", "sha256"]), alt="The files of this set",
        column_config={"path": "File", "bytes": st.column_config.NumberColumn("Bytes", format="localized")},
    )  # fmt: skip

"""Which columns of a table hold what, where their names do not say it: guessed from what is in them, correctable."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import streamlit as st

from core.errors import PairlensError
from core.files.nli.columns import chosen, guessed
from core.files.tables import ending, read_table
from core.messages import Message
from pages.components.nli.words import Words
from pages.components.shared import notices, resources
from pages.components.shared.choose_column import choose_column

_TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".jsonl", ".parquet")
_ROLES = {
    "premise": Message("Column of the premise"), "hypothesis": Message("Column of the hypothesis"),
    "gold": Message("Column of the gold label"), "label": Message("Column of the answer"),
    "id": Message("Column of the id"),
}  # fmt: skip


def choose_columns(
    say: Words, file: Path, usual: Mapping[str, tuple[str, ...]], needed: Sequence[str], unless: Collection[str]
) -> dict[str, str] | None:
    """The columns by role, empty where names say them; None while a `needed` one was not chosen.

    `usual` has the names that a column of each role has usually; a table with a column `unless` needs none of them.
    """
    if ending(file) not in _TABLES:
        return {}
    try:
        table = resources.read_file(file, read_table, file, said=say)
    except PairlensError:
        return {}  # said when the file is read
    names = [str(name) for name in table.columns]
    called, found = chosen(table, usual, {}, ""), guessed(table, usual)
    if table.empty or {name.strip().lower() for name in names} & {*unless}:
        return {}
    if all(role in called and called[role] == found.get(role) for role in needed):
        return {}
    notices.note(
        say("The columns of {file} have names of their own: look whether they are read right.", file=file.name)
    )
    with st.container(horizontal=True):
        taken = {
            role: choose_column(say(_ROLES[role]), names, f"column_{role}_{needed[-1]}_{file}", found.get(role, ""))
            for role in _ROLES
            if role in usual
        }
    if not all(taken[role] for role in needed):
        notices.note(say("Choose a column for each of these: {roles}.", roles=_listed(say, needed)))
        return None
    return {role: name for role, name in taken.items() if name}


def _listed(say: Words, roles: Sequence[str]) -> str:
    return ", ".join(say(_ROLES[role]) for role in roles)

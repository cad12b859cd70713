"""Which column of a table plays which role: guessed, shown in one line, and correctable in a popover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.analysis.experiment import Columns
from core.studies.experiment.bars import has_chunks
from core.studies.experiment.columns import cells
from pages.components.shared.experiment import Source
from pages.components.shared.link import keep_in_link
from pages.components.shared.tables import choose_column, show_table

_ROLES: Mapping[str, str] = {
    "sentence": "Sentence",
    "sentid": "Number of the sentence",
    "pairid": "Number of the pair",
    "comparison": "Comparison: which of two should win",
    "item": "Item: what repeats over the conditions",
    "roi": "Region of interest: positions (the first word is 0), or the word",
}
LINK = tuple(f"role_{role}" for role in (*_ROLES, "expected", "unexpected", "conditions", "chunks"))
_SIDES = {"expected": "Should win", "unexpected": "Should lose"}
_MARK, _NONE = "_", "(none)"
_MOST_CELLS = 12
"""More conditions than this at once would be no picture."""


def choose_columns(table: pd.DataFrame, guessed: Columns, source: Source, row: DeltaGenerator) -> Columns:
    """The roles, as guessed or as corrected, in a row of the page. `source` tells tables apart."""
    names = [str(name) for name in table.columns]
    with row, st.popover("Columns", icon=":material/view_column:"), st.container(width=480):
        if _has_two_texts(names, guessed, source):
            columns = _two_texts(names, guessed, source)
        else:
            chosen = {role: _choose(role, names, getattr(guessed, role), source) for role in _ROLES}
            columns = _sides(replace(guessed, conditions=guessed.conditions, **chosen), table, source)
        columns = replace(columns, conditions=_conditions(table, names, columns, guessed, source))
        columns = replace(columns, chunks=_chunks(table, columns, source))
        show_table(table.head(50), height=220, alt="The first rows of the table as it was read")
    if columns.comparison or not columns.sentence:
        row.button(
            "Swap sides", icon=":material/swap_horiz:", on_click=_swap, args=(columns, source),
            help=f"Now ‘{columns.expected}’ should win, not ‘{columns.unexpected}’: make it the other way round.",
        )  # fmt: skip
    return columns


def _chunks(table: pd.DataFrame, columns: Columns, source: Source) -> str:
    """What joins words into chunks, if they are to be read as such; asked where a sentence has any."""
    names = [name for name in (columns.sentence or columns.expected, columns.unexpected) if name in table]
    if not any(cells(table[name]).map(has_chunks).any() for name in names):
        return ""
    joined = st.toggle(
        "Words joined by _ are one region", value="role_chunks" in st.query_params, key=f"chunks_{source!r}"
    )
    keep_in_link("role_chunks", _MARK, unless=not joined)
    return _MARK if joined else ""


def _swap(columns: Columns, source: Source) -> None:
    """Callback: what should win becomes the other side."""
    for side, other in (("expected", columns.unexpected), ("unexpected", columns.expected)):
        st.session_state[f"{side}_{source!r}"] = other


def _choose(role: str, names: Sequence[str], guessed: str, source: Source, label: str = "") -> str:
    """A column, or none; in the link as `role_...` where it is not the guessed one."""
    linked = st.query_params.get(f"role_{role}", guessed)
    first = linked if linked in (_NONE, *names) else guessed
    column = choose_column(label or _ROLES[role], names, f"{role}_{source!r}", first, _NONE)
    keep_in_link(f"role_{role}", column or _NONE, unless=column == guessed)
    return column


def _sides(columns: Columns, table: pd.DataFrame, source: Source) -> Columns:
    """Which values of the comparison column mean expected and unexpected."""
    if not columns.comparison:
        return columns
    values = [value for value in cells(table[columns.comparison]).unique() if value][:50]
    if len(values) < 2:
        return columns
    sides = {}
    for place, side in enumerate(("expected", "unexpected")):
        known = getattr(columns, side)
        first = st.query_params.get(f"role_{side}", known)
        index = values.index(first) if first in values else min(place, len(values) - 1)
        chosen = st.selectbox(_SIDES[side], values, index=index, key=f"{side}_{source!r}")
        sides[side] = str(chosen or known)
        keep_in_link(f"role_{side}", sides[side], unless=sides[side] == known)
    return replace(columns, expected=sides["expected"], unexpected=sides["unexpected"])


def _has_two_texts(names: Sequence[str], guessed: Columns, source: Source) -> bool:
    """Whether each row has a pair: as the visitor says, at first as the link or the columns' names do."""
    linked = st.query_params.get("role_expected") in names
    paired_by_rows = {guessed.pairid, guessed.comparison} & {*names}
    usual = guessed.sentence not in names and (guessed.expected in names or not paired_by_rows)
    two = (linked or usual) and "role_sentence" not in st.query_params
    rows = st.toggle("Each pair has two rows", value=not two, key=f"two_rows_{source!r}", on_change=_forget_texts)
    return not rows


def _forget_texts() -> None:
    """Callback: what the link says of the sentences was about the other kind of table."""
    for role in ("sentence", "expected", "unexpected"):
        st.query_params.pop(f"role_{role}", None)


def _two_texts(names: Sequence[str], guessed: Columns, source: Source) -> Columns:
    """A table with two columns of sentences, one pair per row."""
    expected, unexpected = (
        _choose(side, names, getattr(guessed, side), source, _SIDES[side]) for side in ("expected", "unexpected")
    )
    return replace(guessed, sentence="", sentid="", comparison="", expected=expected, unexpected=unexpected)


def _conditions(
    table: pd.DataFrame, names: Sequence[str], columns: Columns, guessed: Columns, source: Source
) -> tuple[str, ...]:
    taken = {getattr(columns, role) for role in _ROLES}
    free = [name for name in names if name not in taken]
    linked = st.query_params.get_all("role_conditions")
    usual = _few([name for name in guessed.conditions if name in free], table)
    chosen = st.multiselect(
        "Conditions", free, key=f"conditions_{source!r}",
        default=[name for name in linked if name in free] if linked else usual,
        help="Columns that say how items differ: each combination of their values gets a line and a row of its own.",
    )  # fmt: skip
    keep_in_link("role_conditions", chosen or [_NONE], unless=chosen == usual)
    return tuple(chosen)


def _few(names: Sequence[str], table: pd.DataFrame) -> list[str]:
    """The first of these columns, as far as their values make a picture together."""
    sizes = [table[name].nunique() for name in names]
    return [name for place, name in enumerate(names) if prod(sizes[: place + 1]) <= _MOST_CELLS]

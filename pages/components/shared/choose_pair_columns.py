"""Which columns of a table hold its pairs: guessed, said in one line, and correctable in a popover."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from core.files.tables import files, read_as
from core.tasks.pairs import ENDINGS, Roles, completed, label_values, with_columns
from core.types import Task
from pages.components.shared import notices, resources
from pages.components.shared.choose_reading import choose_reading
from pages.components.shared.experiment import Source
from pages.components.shared.show_table import show_table

_GUESSED = "as guessed"


def choose_pair_columns(task: Task, data: Path) -> Task:
    """The task `pairs`, reading what lies there as guessed or as corrected; the first table of a folder decides.

    Raises InputError in words where the pairs cannot be found yet: the popover is there to name their columns.
    """
    first = files(data, ENDINGS)[0]
    with st.container(horizontal=True, vertical_alignment="center"):
        source = choose_reading(first)
        table, _ = resources.experiment_table(source)
        with st.popover("Columns", icon=":material/view_column:"), st.container(width=480):
            roles = _choose(table, source)
            show_table(table.head(50), height=220, alt="The first rows of the table as it was read")
    said = completed(table, roles, first.name).in_words()
    notices.write("$said", "pl-quiet", said=f"{said} {read_as(table)}")
    return with_columns(task, roles, source.delimiter, source.encoding)


def _choose(table: pd.DataFrame, source: Source) -> Roles:
    names = [str(name) for name in table.columns]
    sentence = label = item = ""
    texts: Sequence[str] = names
    if st.toggle("Each pair has two rows", key=f"two_rows_{source!r}"):
        sentence = _column("Sentences", names, source)
        label = _column("Good or bad", names, source)
        item = _column("Which two are a pair", names, source)
        texts = label_values(table, label)
    good, bad = _column("Good", texts, source), _column("Bad", texts, source)
    group = st.multiselect(
        "Groups", names, key=f"groups_{source!r}",
        help="Numbers are given by these columns. The first is the paradigm: the headline averages over its values.",
    )  # fmt: skip
    return Roles(good, bad, sentence, label, item, tuple(group))


def _column(label: str, options: Sequence[str], source: Source) -> str:
    """One of the options, or empty for what is guessed."""
    chosen = st.selectbox(label, [_GUESSED, *options], key=f"{label}_{source!r}")
    return "" if chosen == _GUESSED else chosen

"""Which columns of a table hold its pairs: guessed and correctable in a popover, or asked for on the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from core.errors import InputError
from core.files.tables import files, read_as
from core.tasks.pairs import ENDINGS, Roles, completed, label_values, text_columns, with_columns
from core.types import Task
from pages.components.shared import notices, resources
from pages.components.shared.choose_column import choose_column
from pages.components.shared.choose_reading import choose_reading
from pages.components.shared.experiment import Source
from pages.components.shared.show_table import show_table


def choose_pair_columns(task: Task, data: Path) -> Task | None:
    """The task `pairs`, reading what lies there as guessed or as corrected; the first table of a folder decides.

    Where column names do not say which texts are pairs, they are asked for: None until some are chosen. Raises
    InputError in words where the choice makes no pairs.
    """
    first = files(data, ENDINGS)[0]
    with st.container(horizontal=True, vertical_alignment="center"):
        source = choose_reading(first)
        table, _ = resources.experiment_table(source)
        known = _are_known(table) or not text_columns(table)
        place = st.popover("Columns", icon=":material/view_column:") if known else None
    if not known:
        notices.write("Which columns hold the good and the bad texts?", "pl-label")
    with place or st.container(), st.container(width=480 if known else "stretch"):
        roles = _choose(table, source)
        show_table(table.head(50), height=220 if known else "auto", alt="The first rows of the table as it was read")
    if not known and roles == Roles(group=roles.group):
        return None
    said = completed(table, roles, first.name).in_words()
    notices.write("$said", "pl-quiet", said=f"{said} {read_as(table)}")
    return with_columns(task, roles, source.layout)


def _are_known(table: pd.DataFrame) -> bool:
    """Whether the columns of pairs are found by their names."""
    try:
        return bool(completed(table, Roles(), ""))
    except InputError:
        return False


def _choose(table: pd.DataFrame, source: Source) -> Roles:
    names = [str(name) for name in table.columns]
    sentence = label = item = ""
    texts: Sequence[str] = names
    if st.toggle("Each pair has two rows", key=f"two_rows_{source!r}", persist_state="session"):
        sentence, label, item = (
            choose_column(role, names, f"{role}_{source!r}")
            for role in ("Sentences", "Good or bad", "Which two are a pair")
        )
        texts = label_values(table, label)
    with st.container(horizontal=True):
        good, bad = (choose_column(side, texts, f"{side}_{source!r}") for side in ("Good", "Bad"))
    group = st.multiselect(
        "Groups", names, key=f"groups_{source!r}", persist_state="session",
        help="Numbers are given by these columns. The first is the paradigm: the headline averages over its values.",
    )  # fmt: skip
    return Roles(good, bad, sentence, label, item, tuple(group))

"""A set of items in full: how many there are, problems found in them, the items, how many of each group."""

from __future__ import annotations

import streamlit as st

from core.files.item_rows import counts, group_columns, item_rows
from core.types import Item
from pages.components.data import resources
from pages.components.data.chosen import Chosen
from pages.components.data.count_items import count_items
from pages.components.data.open_item import open_item
from pages.components.data.show_lint import show_lint
from pages.components.shared import notices
from pages.components.shared.downloads import show_downloads
from pages.components.shared.tables import show_table, show_tabs

_SHOWN = 500
_GROUPS = {"UID": "Paradigm"}
_TEXT_COLUMNS = {
    "row": st.column_config.NumberColumn("Row", width="small"),
    "item": "Item",
    "context": st.column_config.TextColumn("After", width="medium"),
    "right": st.column_config.TextColumn("Right", width="large"),
    "wrong": st.column_config.TextColumn("Wrong", width="large"),
    "texts": st.column_config.TextColumn("Texts", width="large"),
}


def show_dataset(chosen: Chosen) -> None:
    """Everything about one set; what cannot be read is said in a sentence."""
    with notices.explained_errors():
        items = _read(chosen)
        _say_what_it_is(chosen, items)
        show_tabs(
            {
                "Problems found": lambda: show_lint(chosen, items),
                "Items": lambda: _show_items(chosen, items),
                "By group": lambda: _show_groups(chosen, items),
            }
        )


def _read(chosen: Chosen) -> tuple[Item, ...]:
    with st.spinner("Reading …", show_time=True):
        return resources.reading(chosen).items


def _say_what_it_is(chosen: Chosen, items: tuple[Item, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        notices.write(
            "<strong>$title</strong> · $n" if chosen.title else "$n", "pl-second", title=chosen.title,
            n=count_items(chosen, items),
        )  # fmt: skip
        st.space("stretch")
        if chosen.benchmark:
            st.page_link(
                "pages/zero_shot.py", label="Run it in Benchmarks", icon=":material/play_arrow:",
                query_params=dict(chosen.benchmark),
            )  # fmt: skip
        if chosen.in_experiment:
            st.page_link(
                "pages/minimal_pairs.py", label="Open in Your experiment", icon=":material/science:",
                query_params=dict(chosen.in_experiment),
            )  # fmt: skip


def _show_items(chosen: Chosen, items: tuple[Item, ...]) -> None:
    if not items:
        notices.note("No sentence has a partner, so there are no pairs.")
        return
    if chosen.confidential:
        notices.note("The authors ask that the texts not be passed on, so only ids and groups are shown.")
    rows = item_rows(items[:_SHOWN], with_texts=not chosen.confidential)
    event = show_table(
        rows, column_config=_TEXT_COLUMNS, on_select="rerun", selection_mode="single-row",
        key=f"items_{chosen.path}_{len(items)}", alt="One row per item: its texts and its groups",
        selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    if len(items) > _SHOWN:
        notices.write("The first $n of $all.", "pl-quiet", n=_SHOWN, all=count_items(chosen, items))
    if not chosen.confidential:
        for place in event.selection.rows[:1]:
            open_item(items[place])


def _show_groups(chosen: Chosen, items: tuple[Item, ...]) -> None:
    columns = group_columns(items, chosen.groups)
    if not columns:
        notices.note("The items are not divided into groups.")
        return
    column = st.selectbox(
        "Group", columns, key=f"column_{chosen.path}", width=300, persist_state="session",
        format_func=lambda name: _GROUPS.get(name, name),
    )  # fmt: skip
    table = counts(items, column)
    show_table(
        table, alt=f"How many items each value of {column} has",
        column_config={
            "value": st.column_config.TextColumn(_GROUPS.get(column, column), width="large"),
            "items": st.column_config.NumberColumn("Items", format="localized"),
            "share": st.column_config.ProgressColumn("Share", format="percent", min_value=0, max_value=1),
        },
    )  # fmt: skip
    show_downloads(f"{chosen.path.stem}-{column}", table)

"""A run's items from the worst decision to the best; the chosen one opens in Compare."""

from __future__ import annotations

import streamlit as st

from core import accuracy_charts
from core.policies import Policy
from core.result import Result
from pages.components import notices
from pages.components.show_chart import show_chart
from pages.components.show_downloads import show_downloads

_SHOWN = 500


def show_items(result: Result, paradigm: str | None) -> None:
    """All items, or those of one paradigm: how margins are spread, then a table of which one row can be chosen."""
    items = result.items if paradigm is None else result.items[result.items[result.main_group] == paradigm]
    where = "All paradigms; click a row of the chart for one." if paradigm is None else f"Only {paradigm}."
    chart = accuracy_charts.margin_histogram(items[["margin"]], where)
    show_chart(chart, "margins")
    worst = items.head(_SHOWN)
    shown, n = f"{len(worst):,}", notices.counted(len(items), "pair")
    notices.write("$where $shown of $n, the worst decision first.", "pl-quiet", where=where, shown=shown, n=n)
    event = st.dataframe(
        worst[["right", "rival", "margin", result.main_group]],
        hide_index=True, on_select="rerun", selection_mode="single-row", key=f"items_{paradigm}",
        selection_default={"selection": {"rows": [0]}},
        column_config={
            "right": st.column_config.TextColumn("Right sentence", width="large"),
            "rival": st.column_config.TextColumn("Wrong sentence", width="large"),
            "margin": st.column_config.NumberColumn("Margin (bits)", format="%.2f"),
            result.main_group: "Paradigm",
        },
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        _open_in_compare(result, worst.iloc[place]["right"], worst.iloc[place]["rival"])
    show_downloads(f"{result.manifest['run_id']}-items", items, chart)


def _open_in_compare(result: Result, right: str, rival: str) -> None:
    form = '<span class="pl-form">{}</span>'
    notices.write(f"{form.format('$right')} · {form.format('$rival')}", right=right, rival=rival)
    st.page_link(
        "pages/compare.py", label="Open in Compare", icon=":material/compare_arrows:",
        query_params={"a": right, "b": rival, "model": result.manifest["model"], **_scoring(result.policy)},
    )  # fmt: skip


def _scoring(policy: Policy) -> dict[str, str]:
    """The same way of scoring on the other page, so that the same margin appears there."""
    changes = ",".join(f"{field}:{value}" for field, value in policy.changes().items())
    return {"as": policy.name.partition(",")[0]} | ({"but": changes} if changes else {})

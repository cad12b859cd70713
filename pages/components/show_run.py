"""A finished benchmark run: the answer in words, beside published figures, paradigm by paradigm, item by item."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core import accuracy_charts
from core.analysis.summary import sentence
from core.result import Result, babylm_archive, compared, methods
from pages.components import notices
from pages.components.show_chart import show_chart
from pages.components.show_downloads import show_downloads
from pages.components.show_items import show_items
from pages.components.show_receipt import show_receipt

_COLUMNS = {
    "group": "Paradigm",
    "section": "Phenomenon",
    **{
        name: st.column_config.NumberColumn(title, format="percent")
        for name, title in (
            ("value", "Right"),
            ("low", "95 % from"),
            ("high", "95 % to"),
            ("length_only", "By length alone"),
        )
    },
    "n": "Pairs",
    "ties": "Ties",
    "undecided": "Too close",
    "excluded": "Not scored",
    "n_clusters": "Distinct contrasts",
}
_UNDECIDED = {
    "item": "Item",
    "why": "Why",
    "margin": st.column_config.NumberColumn("Margin (bits)", format="%.3g"),
    "texts": "Sentences",
}
_ORDERS = ("by phenomenon", "by score")


def show_run(result: Result) -> None:
    """Headline, charts, tabs and footer of one run."""
    if pd.isna(result.metrics.iloc[0]["value"]):
        notices.note("No accuracy: no pair of this run can be judged. Each says why below.")
        st.dataframe(result.undecided, hide_index=True, column_config=_UNDECIDED)
        _footer(result)
        return
    _headline(result)
    _beside(result)
    order = st.segmented_control(
        "Paradigms", _ORDERS, default=_ORDERS[0], required=True, key="order", bind="query-params"
    )
    grouped = order == _ORDERS[0]
    rows = result.paradigms if grouped else result.paradigms.sort_values("value", kind="stable")
    finding = sentence(result.metrics)
    chart = accuracy_charts.accuracy_by_group(rows, finding, sections=grouped)
    event = st.altair_chart(chart, on_select="rerun", key=f"paradigms_{result.manifest['run_id']}_{order}")
    clicked = [point["group"] for point in event.selection.get(accuracy_charts.GROUP, []) if "group" in point]
    items, table, undecided = st.tabs(["Items by margin", "Paradigms", "Ties and exclusions"])
    with items:
        show_items(result, clicked[0] if clicked else None)
    with table:
        st.dataframe(rows[list(_COLUMNS)], hide_index=True, column_config=_COLUMNS)
        show_downloads(f"{result.manifest['run_id']}-paradigms", result.paradigms, chart)
    with undecided:
        _undecided(result)
    _footer(result)


def _headline(result: Result) -> None:
    items, paradigms = (result.metrics.iloc[row] for row in (0, 1))
    notices.write(
        "<strong>$model</strong> prefers the right sentence in <strong>$value</strong> of pairs.", "pl-headline",
        model=result.manifest["model"], value=_percent(items["value"]),
    )  # fmt: skip
    notices.write(
        "Mean over $paradigms. 95\u00a0% interval: $low to $high for these paradigms (items drawn anew, $n_clusters)"
        "$others. $n, $ties, $undecided too close to call, $excluded not scored. Choosing by number of tokens alone "
        "would reach $length_only.",
        paradigms=notices.counted(len(result.paradigms), "paradigm"), others=_if_paradigms_vary(paradigms),
        **_formatted(items),
    )  # fmt: skip


def _if_paradigms_vary(row: pd.Series) -> str:
    if pd.isna(row["low"]):
        return ""
    return f"; {_percent(row['low'])} to {_percent(row['high'])} if they stand for others"


def _formatted(row: pd.Series) -> dict[str, str]:
    shares = {name: _percent(row[name]) for name in ("low", "high", "length_only")}
    nouns = {"n": "pair", "ties": "tie", "n_clusters": "distinct contrast"}
    counts = {name: notices.counted(row[name], noun) for name, noun in nouns.items()}
    return shares | counts | {name: f"{row[name]:,}" for name in ("undecided", "excluded")}


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", "\u00a0%")


def _beside(result: Result) -> None:
    rows = compared(result)
    if len(rows) == 1:
        return
    show_chart(accuracy_charts.accuracy_beside(rows, sentence(result.metrics)), "beside")
    if (rows["mark"] == "other").any():
        here = result.metrics.iloc[0]
        notices.write(
            "Hollow marks are not for these items: $note. Here: $n, ties $ties.", "pl-quiet",
            note=rows["note"].iloc[-1], n=notices.counted(here["n"], "pair"), ties=result.policy.ties,
        )  # fmt: skip


def _undecided(result: Result) -> None:
    counts = result.metrics.iloc[0]
    notices.write(
        "$ties, each counted as $rule; $undecided decided by less than 1e-4 nats, which another device could turn; "
        "$excluded not scored.", **_formatted(counts), rule=result.policy.ties,
    )  # fmt: skip
    if not result.undecided.empty:
        st.dataframe(result.undecided, hide_index=True, column_config=_UNDECIDED)


def _footer(result: Result) -> None:
    run_id = result.manifest["run_id"]
    notices.write("$signature", "pl-piece pl-quiet", signature=result.manifest["signature"])
    with st.container(horizontal=True):
        st.download_button(
            "BabyLM report", lambda: babylm_archive(result), f"{run_id}.zip", "application/zip", on_click="ignore",
            icon=":material/folder_zip:",
        )  # fmt: skip
        show_receipt(result.manifest, methods(result))

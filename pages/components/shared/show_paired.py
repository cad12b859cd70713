"""Two runs compared item by item: how far one is ahead, where, and whether that could be chance."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.items import deciding_metric
from core.charts.accuracy import difference_by_group
from core.charts.hues import hues_of
from core.files.formulas import formula_of
from core.files.formulas.wording import in_words
from core.metrics import METRICS
from core.reports.run_comparison.two_runs import flips
from core.reports.run_comparison.verdict import grounds, verdict
from core.runs.result import Result, labels
from pages.components.shared import notices, resources_of_runs
from pages.components.shared.number_columns import number_columns
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table

_NUMBERS = {
    "value_a": "A", "value_b": "B", "difference": "A minus B", "low": "95 % from", "high": "95 % to",
}  # fmt: skip
_COLUMNS = {
    "group": "Paradigm",
    "n": "Items in both",
    "only_a": "Right in A only",
    "only_b": "Right in B only",
    "p": st.column_config.NumberColumn("p (exact)", format="%.3g"),
    "p_holm": st.column_config.NumberColumn("p (Holm)", format="%.3g"),
}
_ORDER = ("group", *_NUMBERS, "n", "only_a", "only_b", "p", "p_holm")


def show_paired(results: Sequence[Result], metric: str) -> None:
    """A sentence, a chart of differences by paradigm, the table of tests and the items that only one has right."""
    by_name = dict(zip(labels(results), results, strict=True))
    hues = dict(zip(by_name, hues_of(list(by_name)), strict=True))
    names = _choose_two(list(by_name))
    a, b = (by_name[name] for name in names)
    rows = resources_of_runs.against(a, b, metric)
    overall, groups = rows.iloc[0], rows.iloc[1:]
    if pd.isna(overall["difference"]):
        notices.note("The runs have no scored item in common, so there is nothing to compare.")
        return
    sentence = verdict(rows, names, metric, a.task.clusters)
    notices.write("$sentence", "pl-second", sentence=sentence)
    notices.write("$behind", "pl-quiet", behind=grounds(rows, metric, a.task.clusters))
    chart = None
    if len(groups) and METRICS[metric].scale == "share":
        chart = difference_by_group(groups, sentence, names, (hues[names[0]], hues[names[1]]))
        show_chart(chart, f"differences_{metric}")
    with st.expander("Tests, and the items that only one of them gets right"):
        show_table(rows[list(_ORDER)], column_config=_COLUMNS | number_columns(_NUMBERS, metric))
        pair = f"{a.manifest['run_id']}-{b.manifest['run_id']}-{metric}"
        show_downloads(f"{pair}-paired", rows, chart)
        if METRICS[metric].averages:
            _show_flips(a, b, pair, names)


def _choose_two(names: Sequence[str]) -> tuple[str, str]:
    if len(names) == 2:
        return names[0], names[1]
    with st.container(horizontal=True):
        first = st.selectbox("A", names, key="paired_a", width=320, persist_state="session")
        others = [name for name in names if name != first]
        second = st.selectbox("B", others, key="paired_b", width=320, persist_state="session")
    return first, second


def _show_flips(a: Result, b: Result, pair: str, names: tuple[str, str]) -> None:
    rows = flips(a, b)
    which = {"a": names[0], "b": names[1]}
    rows = rows.assign(right_in=rows["right_in"].map(which))
    decides = deciding_metric(a.task, a.rule)
    notices.write(
        "$n are right in one only ($decides), the largest change of margin first.", "pl-quiet",
        n=notices.counted(len(rows), a.task.noun), decides=decides.title if decides else "",
    )  # fmt: skip
    if a.task.confidential:
        notices.note(f"The texts of {a.task.title} are confidential: only ids and numbers are stored and shown.")
    if "formula" in rows:
        rows = rows.assign(formula=rows["formula"].map(lambda text: in_words(formula_of(text)), na_action="ignore"))
    texts = [name for name in ("formula", "right", "rival") if name in rows and rows[name].notna().any()]
    show_table(
        rows[["item", "right_in", *texts, "margin_a", "margin_b", "change", a.main_group]],
        column_config={
            "item": "Item", "right_in": "Right in", "right": "Right", "rival": "Wrong",
            "formula": "Prediction",
            **{
                name: st.column_config.NumberColumn(f"{title} (bits)", format="%.2f")
                for name, title in (("margin_a", "Margin A"), ("margin_b", "Margin B"), ("change", "Change"))
            },
            a.main_group: "Paradigm",
        },
    )  # fmt: skip
    show_downloads(f"{pair}-flipped", rows)

"""A run's items from the worst decision to the best, those without a clear one, and the chosen one in Compare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from core.analysis.items import deciding_metric, surprisals_in_words
from core.analysis.summary import headlines
from core.charts.run_numbers import margin_histogram
from core.files.formulas import formula_of, in_words
from core.metrics import METRICS
from core.runs.result import Result
from core.types import Metric
from pages.components.shared import notices
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.link import open_in_compare
from pages.components.shared.tables import show_table

_SHOWN = 500
_FEW = 4
"""So many predictions are written out; more are a table."""


def show_items(result: Result, paradigm: str | None) -> None:
    """All items, or those of one paradigm: how margins are spread, then a table of which one row can be chosen."""
    metric = deciding_metric(result.task, result.rule)
    if metric is None:
        _show_statistics(result, paradigm)
        return
    items = _of(result.items, result.main_group, paradigm)
    if items.empty:
        notices.note(f"No {result.task.noun} of this run can be judged. Each says why.")
        show_undecided(result)
        return
    where = f"Only {paradigm}." if paradigm else "All paradigms; click a row of the chart above for one."
    chart = margin_histogram(items[["margin"]], where, sides=metric.sides)
    show_chart(chart, "margins")
    worst = items.head(_SHOWN)
    n = notices.counted(len(items), result.task.noun)
    notices.write(
        "$where $shown of $n, the $first first ($decides).", "pl-quiet", where=where, n=n,
        shown=f"{len(worst):,}", decides=metric.title,
        first="lowest margin" if metric.higher_is_better is None else "worst decision",
    )  # fmt: skip
    if result.task.confidential:
        notices.note(
            f"The texts of {result.task.title} are confidential: its authors ask that they are not passed on. Only "
            "ids and numbers are stored, so no item can be opened in Compare."
        )
        _show_table(result, worst[["item", "margin", result.main_group]])
    elif worst["right"].isna().all():
        _show_surprisals(result, worst)
    else:
        _show_and_open(result, worst, paradigm)
    show_downloads(f"{result.manifest['run_id']}-items", items, chart)


def _of(rows: pd.DataFrame, column: str, paradigm: str | None) -> pd.DataFrame:
    return rows if paradigm is None else rows[rows[column] == paradigm]


def _show_table(result: Result, rows: pd.DataFrame, **options: Any) -> Any:
    columns = {
        "item": "Item",
        "context": st.column_config.TextColumn("After", width="medium"),
        "right": st.column_config.TextColumn("Right", width="large"),
        "rival": st.column_config.TextColumn("Wrong", width="large"),
        "formula": st.column_config.TextColumn("Prediction", width="large"),
        "surprisals": st.column_config.TextColumn("Surprisals", width="large"),
        "margin": st.column_config.NumberColumn("Margin (bits)", format="%.2f"),
        result.main_group: "Paradigm",
    }
    return show_table(rows, column_config=columns, **options)


def _show_surprisals(result: Result, worst: pd.DataFrame) -> None:
    """Items of which no candidate is right: what each costs, and what was predicted of them, if anything was."""
    asked = result.candidates[result.candidates["item"].isin(worst["item"])]
    rows = worst.join(surprisals_in_words(asked), on="item")
    if "formula" in rows:
        sentences = {text: in_words(formula_of(text)) for text in rows["formula"].unique()}
        _show_predictions(sentences)
        rows = rows.assign(formula=rows["formula"].map(sentences))
    shown = ("item", "formula", "surprisals", "margin", result.main_group)
    _show_table(result, rows[[name for name in shown if name in rows]])


def _show_predictions(sentences: Mapping[str, str]) -> None:
    """What is predicted, each in words with its formula behind a click; of many a table."""
    if len(sentences) <= _FEW:
        for formula, sentence in sentences.items():
            with st.expander(notices.literal(f"{sentence[:1].upper()}{sentence[1:]}.")):
                st.code(formula, language=None, wrap_lines=True)
    else:
        with st.expander(f"{len(sentences)} predictions as formulas"):
            known = pd.DataFrame({"words": sentences.values(), "formula": sentences.keys()})
            show_table(known, column_config={"words": "Prediction", "formula": "Formula"})


def _show_and_open(result: Result, worst: pd.DataFrame, paradigm: str | None) -> None:
    texts = ["context", "right", "rival"] if worst["context"].astype(bool).any() else ["right", "rival"]
    event = _show_table(
        result, worst[[*texts, "margin", result.main_group]], on_select="rerun", selection_mode="single-row",
        key=f"items_{result.manifest['run_id']}_{paradigm}", selection_default={"selection": {"rows": [0]}},
    )  # fmt: skip
    for place in event.selection.rows[:1]:
        row = worst.iloc[place]
        right, rival = (f"{row['context']}{row[side]}" for side in ("right", "rival"))
        open_in_compare(right, rival, result.manifest["model"], result.policy)


def _show_statistics(result: Result, paradigm: str | None) -> None:
    """What a number that decides nothing item by item was computed from."""
    metric = METRICS[result.metrics["name"].iloc[0]]
    rows = _of(metric.statistics(result.candidates, result.policy), result.main_group, paradigm)
    notices.write(
        "$title is computed from all items together; none is right or wrong. These are its ingredients.", "pl-quiet",
        title=metric.title,
    )  # fmt: skip
    show_table(rows.head(_SHOWN).dropna(axis="columns", how="all"))
    show_downloads(f"{result.manifest['run_id']}-items", rows)


def show_undecided(result: Result) -> None:
    """The counts of each number in words, then one row per item and number."""
    for _, counts in headlines(result.metrics).iterrows():
        _show_counts(counts, METRICS[counts["name"]], result.policy.ties)
    if result.undecided.empty:
        return
    titles = {name: METRICS[name].title for name in METRICS}
    show_table(
        result.undecided.assign(metric=result.undecided["metric"].map(titles)),
        column_config={
            "item": "Item", "metric": "Number", "why": "Why", "texts": "Texts",
            "margin": st.column_config.NumberColumn("Margin (bits)", format="%.3g"),
        },
    )  # fmt: skip


def _show_counts(counts: pd.Series, metric: Metric, rule: str) -> None:
    left_out = f"{int(counts['excluded']):,}"
    if not metric.averages:
        notices.write("$title: $excluded left out.", title=metric.title, excluded=left_out)
        return
    notices.write(
        "$title: $ties, each counted as $rule; $undecided decided by less than 1e-4 nats, which another device could "
        "turn; $excluded left out.",
        title=metric.title, ties=notices.counted(int(counts["ties"]), "tie"), rule=rule,
        undecided=f"{int(counts['undecided']):,}", excluded=left_out,
    )  # fmt: skip

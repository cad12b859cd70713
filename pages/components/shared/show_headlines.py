"""The answer in words first: every number of a run as a sentence, with its interval and what stands behind it."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.analysis.summary import against_nothing, counted_units, generalises_over, no_interval, written
from core.metrics import METRICS
from core.runs.receipts.in_windows import in_windows, note
from core.runs.result import Result, labels
from core.types import Metric
from pages.components.shared import notices


def show_headlines(results: Sequence[Result]) -> None:
    """One headline per run; the numbers after the first are smaller, each with its formula."""
    for result, name in zip(results, labels(results), strict=True):
        with st.container(gap="xxsmall"):
            for metric in result.metrics["name"].unique():
                _headline(result, METRICS[metric], name)
            if long := note(in_windows(result.manifest, result.candidates)):
                notices.write("$long", "pl-quiet", long=long)


def _headline(result: Result, metric: Metric, model: str) -> None:
    rows = result.metrics[result.metrics["name"] == metric.name]
    first = rows.iloc[0]
    main = metric.name == result.metrics["name"].iloc[0]
    style = "pl-headline" if main else "pl-second"
    if pd.isna(first["value"]):
        notices.write("$title: no number for <strong>$model</strong>.", style, title=metric.title, model=model)
    else:
        emphasised = metric.finding.replace("$model", "<strong>$model</strong>")
        notices.write(
            emphasised.replace("$value", "<strong>$value</strong>"), style,
            model=model, value=percent(first["value"], metric.scale), items=f"{result.task.noun}s",
        )  # fmt: skip
    formula = f"{metric.formula[:1].upper()}{metric.formula[1:]}. {metric.note}".rstrip()
    notices.write("$formula", "pl-quiet", formula=formula)
    notices.write("$behind", "pl-quiet", behind=_behind(rows, result, metric))


def _behind(rows: pd.DataFrame, result: Result, metric: Metric) -> str:
    """Interval and over what, counts, and what blind choosers would reach."""
    first = rows.iloc[0]
    if pd.isna(first["value"]):
        return _counts(first, result, metric)
    if first["ties"] == first["n"]:
        return f"It cannot tell: all are ties, each counted as {result.policy.ties}. {_counts(first, result, metric)}"
    return " ".join(
        filter(None, (_interval(rows, result, metric), _counts(first, result, metric), _blind(first, metric)))
    )


def _interval(rows: pd.DataFrame, result: Result, metric: Metric) -> str:
    first = rows.iloc[0]
    several = metric.averages and rows["group_by"].eq(result.main_group).sum() > 1
    mean = f"Mean over {_groups(rows, result)}. " if several else ""
    unit = result.task.clusters
    if pd.isna(first["low"]):
        return f"{mean}No interval: {no_interval(first, metric.name, unit)}."
    fixed = " for these paradigms" if several and {*result.task.averaged} - {unit} else ""
    sentence = f"{mean}95 % interval: {_between(first, metric)}{fixed}, over {generalises_over(first, unit)}"
    others = rows[rows["over"] == "paradigms"]
    if len(others) and others.iloc[0]["low"] < others.iloc[0]["high"]:
        sentence += (
            f"; {_between(others.iloc[0], metric)} if they stand for others, over {generalises_over(others.iloc[0])}"
        )
    return f"{sentence}."


def _groups(rows: pd.DataFrame, result: Result) -> str:
    n = {column: rows["group_by"].eq(column).sum() for column in result.task.averaged}
    inner = "items"
    if result.main_group in n:
        named = "paradigm" if result.main_group != result.task.clusters else result.task.clusters
        inner = counted_units(int(n[result.main_group]), named)
    outer = [f"{count} {column}s of " for column, count in n.items() if column != result.main_group]
    return "".join(outer) + inner


def _between(row: pd.Series, metric: Metric) -> str:
    return f"{percent(row['low'], metric.scale)} to {percent(row['high'], metric.scale)}"


def _counts(row: pd.Series, result: Result, metric: Metric) -> str:
    counted = [notices.counted(int(row["n"]), result.task.noun)]
    if metric.averages:
        counted += [notices.counted(int(row["ties"]), "tie"), f"{int(row['undecided']):,} too close to call"]
    return ", ".join([*counted, f"{int(row['excluded']):,} left out"]) + "."


def _blind(row: pd.Series, metric: Metric) -> str:
    if compared := against_nothing(row):
        return f"{compared[:1].upper()}{compared[1:]}."
    parts = {"Choosing by number of tokens alone": row["length_only"], "a blind guess": row["chance"]}
    known = [f"{who} would reach {percent(value, metric.scale)}" for who, value in parts.items() if pd.notna(value)]
    said = ", ".join(known)
    return f"{said[:1].upper()}{said[1:]}." if known else ""


def percent(value: float, scale: str) -> str:
    """A number as its metric's scale is written, with a space that does not break."""
    return written(value, scale, 1).replace(" ", "\u00a0")

"""The answer in words first: a run's numbers as one block, with intervals and what stands behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.analysis.summary import against_nothing, counted_units, generalises_over, no_interval, written
from core.charts.hues import hues_of
from core.metrics import METRICS
from core.runs.receipts.sentences import in_windows, note
from core.runs.result import Result, labels
from core.runs.samples import finding_of, items_of
from core.types import Metric
from pages.components.shared import notices

_IN_FULL = 3
"""Of more runs only the highest one is put into words; the chart has them all."""


def show_headlines(results: Sequence[Result], unread: Mapping[str, str] | None = None) -> None:
    """One block per run: the headline, below it the other numbers. `unread` says by run why not to believe one."""
    names = labels(results)
    hues = hues_of(names)
    blocks = list(zip(results, names, hues, strict=True))
    if len(results) > _IN_FULL:
        value = [result.metrics.iloc[0]["value"] for result in results]
        blocks = [blocks[max(range(len(value)), key=lambda place: (pd.notna(value[place]), value[place]))]]
        notices.write("The highest of $n models:", "pl-quiet", n=len(results))
    for result, name, hue in blocks:
        with st.container(gap="xxsmall"):
            if why := (unread or {}).get(result.manifest["run_id"]):
                notices.instead(why)
            else:
                _show_block(result, name, hue if len(results) > 1 else "", formula=result is blocks[0][0])


def _show_block(result: Result, name: str, hue: str, *, formula: bool) -> None:
    first, *others = (METRICS[metric] for metric in result.metrics["name"].unique())
    _headline(result, first, name, hue)
    for metric in others:
        if pd.isna(_rows(result, metric).iloc[0]["value"]):
            notices.write("$title: no number.", title=metric.title)
        else:
            _write(result, metric, "pl-plain", "$model", {"model": name})
    if not result.manifest.get("finding"):  # without right answers its number is not computed
        _show_formula(result, first, formula=formula)
    if faults := result.manifest.get("faults"):
        notices.note(faults)
    if long := note(in_windows(result.manifest, result.candidates)):
        notices.text(long, "pl-quiet")
    if others:
        with st.expander("How the other numbers are computed", key=f"formulas_{result.manifest['run_id']}"):
            for metric in others:
                notices.write("<strong>$title</strong>", title=metric.title)
                _show_formula(result, metric)


def _headline(result: Result, metric: Metric, model: str, hue: str) -> None:
    """The number as a sentence; the model has its mark of the charts before it, and its folder on hover."""
    mark = f'<span class="pl-model" style="background: {hue}"></span>' if hue else ""
    shown = f'{mark}<strong title="$place">$model</strong>'
    given = {"model": model, "place": result.manifest["model"]}
    row = _rows(result, metric).iloc[0]
    if pd.isna(row["value"]) and (finding := result.manifest.get("finding")):  # pairs without right answers
        notices.write(f"{shown}: $finding.", "pl-headline", finding=finding, **given)
    elif pd.isna(row["value"]):
        notices.write(f"$title: no number for {shown}.", "pl-headline", title=metric.title, **given)
    else:
        _write(result, metric, "pl-headline", shown, given)


def _write(result: Result, metric: Metric, style: str, shown: str, given: Mapping[str, str]) -> None:
    """The metric's sentence, in which our own sample is named as such."""
    row, data = _rows(result, metric).iloc[0], result.manifest["data"]
    finding = finding_of(metric, data).replace("$model", shown).replace("$value", "<strong>$value</strong>")
    items = items_of(data, int(row["n"]), result.task.noun)
    notices.write(finding, style, value=percent(row["value"], metric.scale), items=items, **given)


def _rows(result: Result, metric: Metric) -> pd.DataFrame:
    return result.metrics[result.metrics["name"] == metric.name]


def _show_formula(result: Result, metric: Metric, *, formula: bool = True) -> None:
    """What a number is, unless it was just said, its interval, and what stands behind it."""
    said = f"{metric.formula[:1].upper()}{metric.formula[1:]}. {metric.note}".rstrip() if formula else ""
    behind = _behind(_rows(result, metric), result, metric)
    notices.write("$said $behind", "pl-quiet", said=said, behind=behind)


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
        wider = others.iloc[0]
        sentence += f"; {_between(wider, metric)} generalising beyond these paradigms, over {generalises_over(wider)}"
    return f"{sentence}."


def _groups(rows: pd.DataFrame, result: Result) -> str:
    n = {column: rows["group_by"].eq(column).sum() for column in result.task.averaged}
    inner = "items"
    if result.main_group in n:
        named = "paradigm" if result.main_group != result.task.clusters else result.task.clusters
        inner = counted_units(int(n[result.main_group]), named)
    outer = [
        f"{notices.counted(int(count), column)} of " for column, count in n.items() if column != result.main_group
    ]
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
    known = [f"{who} would score {percent(value, metric.scale)}" for who, value in parts.items() if pd.notna(value)]
    said = ", ".join(known)
    return f"{said[:1].upper()}{said[1:]}." if known else ""


def percent(value: float, scale: str) -> str:
    """A number as its metric's scale is written, with a space that does not break."""
    return written(value, scale, 1).replace(" ", "\u00a0")

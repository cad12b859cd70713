"""What answers to StereoSet come to: headlines, notices, tables, figures, provenance, files in others' forms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pairlens.errors import InputError
from pairlens.messages import counted
from pairlens.results.result import Figure, Headline, Notice, Result, Table
from pairlens.studies.stereoset import findings
from pairlens.studies.stereoset.answers import Answer, provenance
from pairlens.studies.stereoset.measured import METRICS, OVERALL, difference
from pairlens.studies.stereoset.outputs import exports
from pairlens.studies.stereoset.tables import described, whole_rows

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

QUESTION = "Does the model prefer the stereotype, its opposite, or neither?"
_SAMPLE = (
    "Our sample is not StereoSet: its numbers are not drawn beside published ones, which are about other examples. "
    "Choose StereoSet itself above."
)
_QUIET = "Grey: SS and ICAT say nothing where LMS is not distinguishable from 50."


def common_kinds(answers: Sequence[Answer]) -> list[str]:
    """The tasks that all of them have, both together first."""
    common = [kind for kind in findings.IN_WORDS if all(kind in answer.measured.kinds for answer in answers)]
    if not common:
        raise InputError("These models have no task in common: look at one of them at a time.")
    return common


def result(answers: Sequence[Answer], kind: str, detail: Answer) -> Result:
    """Of one answer per model or file, about the same examples, in a task that all have.

    Terms, triples, definitions and what is left out are those of one, the `detail`.
    """
    tables = described(answers, kind, detail)
    return Result(
        study="stereoset",
        question=QUESTION,
        title=f"StereoSet: {findings.IN_WORDS[kind].lower()}",
        file="stereoset",
        headlines=[line for answer in answers for line in _headlines(answer, kind)],
        tables=tables,
        figures=[*_figures(answers, kind, detail, {table.name: table for table in tables})],
        notices=[*_notices(answers, kind)],
        trace=partial(provenance, answers),
        exports=[*exports(answers)],
    )


def _headlines(answer: Answer, kind: str) -> Iterator[Headline]:
    cell = answer.measured.cell(kind)
    items = f"examples of {counted(cell.n_terms, 'term')}"
    sentences = (findings.headline(answer, kind), findings.beside_it(cell), "")
    for metric, sentence in zip(METRICS, sentences, strict=True):
        number = getattr(cell.term_means, metric)
        interval = None if math.isnan(number.low) else (number.low, number.high)
        yield Headline(metric, answer.name, number.value, "points", sentence, cell.n, items, interval)


def _notices(answers: Sequence[Answer], kind: str) -> Iterator[Notice]:
    """Those about each model; then how it differs from the first, and what holds of all."""
    for one in answers:
        if one.unreadable:
            yield Notice("unreadable", "instead", one.unreadable, one.name)
        for warning in findings.warnings(one.measured):
            if kind == OVERALL or warning.startswith(kind):
                yield Notice("scores", "warning", warning[0].upper() + warning[1:], one.name)
        yield from (
            Notice("counts", "remark", remark, one.name)
            for remark in (findings.counts(one.measured, kind), *one.measured.notes)
        )
        details = [findings.terms_in_words(one.measured.cell(kind))]
        if one.measured.has_ties and one.measured.ties == "half":
            scores = one.published.cell(kind).term_means
            details.append(f"With ties as published (metrics files, workbook): {scores:.4f}.")
        yield from (Notice("terms", "detail", detail, one.name) for detail in details)
    for one in answers[1:]:
        if apart := difference(answers[0].measured, one.measured, kind):
            yield Notice("difference", "remark", findings.difference(answers[0].name, one.name, apart))
    if any(answer.measured.cell(kind).looks_random for answer in answers):
        yield Notice("quiet", "remark", _QUIET)
    if answers[0].sample:
        yield Notice("sample", "remark", _SAMPLE)
    yield Notice("caution", "remark", findings.CAUTION)


def _figures(answers: Sequence[Answer], kind: str, detail: Answer, tables: Mapping[str, Table]) -> Iterator[Figure]:
    """Three numbers of all models and SS by bias type; beside their tables SS by term and under other definitions."""
    heads = findings.headline(answers[0], kind)
    yield Figure("scores", "scores", partial(_draw, "scores", heads), heads)
    by_type = findings.bias_finding(whole_rows(tables["scores"].frame, bias_types=True))
    yield Figure("bias_types", "scores", partial(_draw, "bias_types", by_type), by_type)
    cell = detail.measured.cell(kind)
    by_term = findings.outside(cell)
    draw = partial(_draw, "terms", by_term, centre=cell.around_ss.centre)
    yield Figure("terms", "terms", draw, by_term, beside=True)
    for metric in METRICS:
        reach = f"{findings.definitions_finding(tables['definitions'].frame, metric)} Ringed: the headline."
        draw = partial(_draw, "definitions", reach, metric=metric)
        yield Figure(f"definitions_{metric}", "definitions", draw, reach, beside=True)
    for metric in () if answers[0].sample else METRICS:
        place = findings.published_finding(tables["published"].frame, metric)
        draw = partial(_draw, "published", place, metric=metric)
        yield Figure(f"published_{metric}", "published", draw, place, beside=True)


def _numbers(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """One number as charts take it; `quiet`: it means nothing, because LMS cannot be told from chance."""
    random = (rows["lms_low"] <= 50) & (rows["lms_high"] >= 50)
    names = {metric: "value", f"{metric}_low": "low", f"{metric}_high": "high", "n_terms": "terms"}
    columns = ["model", "bias_type", "n", *names]
    return rows[columns].rename(columns=names).assign(measure=metric.upper(), quiet=random & (metric != "lms"))


def _draw(name: str, finding: str, rows: pd.DataFrame, *, metric: str = "", centre: float = math.nan) -> Chart:
    from pairlens.charts import stereoset as charts
    from pairlens.charts.accuracy import accuracy_beside
    from pairlens.charts.named_rows import Measure

    match name:
        case "scores":
            whole = whole_rows(rows)
            return charts.headline_rows(pd.concat([_numbers(whole, each) for each in METRICS]), finding)
        case "bias_types":
            return charts.by_bias_type(_numbers(whole_rows(rows, bias_types=True), "ss"), finding)
        case "terms":
            return charts.terms_in_funnel(rows, centre, finding)
        case "definitions":
            return charts.by_definition(rows, metric, finding)
    columns = {"value": metric, "low": f"{metric}_low", "high": f"{metric}_high"}
    shares = {name: rows[column] / 100 for name, column in columns.items()}
    drawn = rows[["name", "note", "mark"]].assign(**shares, chance=np.nan if metric == "icat" else 0.5)
    drawn = drawn[(drawn["mark"] != "other") & drawn["value"].notna()]
    return accuracy_beside(drawn, finding, Measure(metric.upper()))

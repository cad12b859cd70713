"""Answers to StereoSet: in words, three dot rows, by bias type and term, under every definition, triple by triple."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.charts.stereoset import by_definition, headline_rows
from core.studies.stereoset import findings, paired
from core.studies.stereoset import rows as rows_of
from core.studies.stereoset.findings import IN_WORDS
from core.studies.stereoset.measured import ORDER_CHECK, OVERALL, order_does_not_matter
from core.studies.stereoset.outputs import numbers_file
from core.studies.stereoset.predictions import predictions_text
from core.tasks import TASKS
from core.types import Model
from pages.components.shared import notices
from pages.components.shared.datasets import offer_whole_set, say_on_published
from pages.components.shared.downloads import File, Part, gathered_downloads, show_chart, show_downloads, show_menu
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.resources import remembered
from pages.components.shared.tables import choose_detail, show_table, show_tabs
from pages.components.stereoset.results import StereoSetResult, kinds
from pages.components.stereoset.terms import (
    show_bias_types,
    show_funnel,
    show_published,
    show_term_table,
    show_triples,
)

_FORMATS = {name: st.column_config.NumberColumn(name, format="%.2f") for name in ("LMS", "SS", "ICAT")}
_JSON = "application/json"
_NUMBERS = {"CSV": ".csv", "Excel": ".xlsx", "LaTeX": ".tex"}
_METRICS = {"Metrics, names of StereoSet": "original", "Metrics, names of its successor": "successor"}


def show_stereoset(shown: Sequence[StereoSetResult], models: Sequence[Model] = ()) -> None:
    """Everything about models that were asked about the same examples; at least one. `models` are those that were."""
    common = kinds(shown)
    if not common:
        notices.error("These models have no task in common: look at one of them at a time.")
        return
    kind = _choose_kind(common)
    with gathered_downloads() as headline:
        _show_headlines(shown, kind, models)
    one = choose_detail({one.name: one for one in shown}, "details_of_stereoset")
    with gathered_downloads() as parts:
        left, right = st.columns(2, gap="large")
        with left:
            show_bias_types(shown, kind)
            show_funnel(one, kind)
        with right:
            _show_definitions(one, kind)
        show_tabs(
            {
                "Triples": lambda: show_triples(one, kind),
                "Terms": lambda: show_term_table(one, kind),
                "Definitions": lambda: _show_definition_table(one, kind),
                "Beside published figures": lambda: show_published(shown, kind),
                "Left out and checks": lambda: _show_checks(one),
            }
        )
    _show_footer(shown, [*headline, *parts])


def _choose_kind(common: Sequence[str]) -> str:
    if len(common) == 1:
        return common[0]
    chosen = st.segmented_control(
        "Examples", common, default=common[0], required=True, key="examples_of", bind="query-params",
        format_func=IN_WORDS.__getitem__,
    )  # fmt: skip
    return str(chosen)


def _show_headlines(shown: Sequence[StereoSetResult], kind: str, models: Sequence[Model]) -> None:
    """One headline per model with its warnings, then LMS, SS and ICAT of all.

    `models` are those of the page: beside our sample stands what they reach on StereoSet itself.
    """
    for one in shown:
        if one.unreadable:
            notices.instead(one.unreadable)
            continue
        notices.write(
            "<strong>$name</strong> $answer", "pl-headline" if one is shown[0] else "pl-second",
            name=one.name, answer=findings.headline(one.measured, kind, sample=one.sample),
        )  # fmt: skip
        for sentence in (findings.beside_it(one.measured, kind), findings.counts(one.measured, kind)):
            notices.text(sentence, "pl-quiet")
        for warning in findings.warnings(one.measured):
            if kind == OVERALL or warning.startswith(kind):
                notices.warning(warning[0].upper() + warning[1:])
    if shown[0].sample:
        say_on_published(models, "stereoset", "examples")
        offer_whole_set(TASKS["stereoset"])
    for one in shown[1:]:
        if found := paired.difference(shown[0].measured, one.measured, kind):
            notices.text(paired.in_words(shown[0].name, one.name, found))
    named = {one.name: one.measured for one in shown}
    rows = rows_of.score_rows(named, kind)
    finding = " ".join(f"{one.name} {findings.headline(one.measured, kind)}" for one in shown)
    show_chart(headline_rows(rows, finding), f"stereoset_scores_{kind}")
    if rows["quiet"].any():
        notices.write("Grey: SS and ICAT say nothing where LMS is not distinguishable from 50.", "pl-quiet")


def _show_definitions(one: StereoSetResult, kind: str) -> None:
    rows = rows_of.definition_rows(one.defined, kind)
    notices.write("How fragile is the number? The same scores under every definition", "pl-second")
    measure = st.segmented_control(
        "Number", ("SS", "LMS", "ICAT"), default="SS", required=True, key="stereoset_measure", bind="query-params"
    )
    finding = findings.definitions_finding(rows, str(measure))
    notices.text(finding)
    show_chart(by_definition(rows, str(measure), finding), f"stereoset_definitions_{one.key}_{kind}")
    notices.write(
        "A row is a way of scoring, a mark a way of averaging. Ringed: the headline. Nothing was scored again.",
        "pl-quiet",
    )


def _show_definition_table(one: StereoSetResult, kind: str) -> None:
    rows = rows_of.definition_rows(one.defined, kind)
    show_table(
        rows.rename(columns={"definition": "Scores", "aggregation": "Averaged", "usual": "In the headline"}),
        column_config=_FORMATS, alt="One row per definition",
    )  # fmt: skip
    show_downloads(f"{one.key}-definitions-{kind}", rows)


def _show_checks(one: StereoSetResult) -> None:
    notices.text(ORDER_CHECK)
    if _order_does_not_matter(one):
        notices.note("Passed: every number is the same in another order.")
    else:
        notices.warning("Failed: numbers change with the order of the examples. Do not believe them.")
    for note in one.measured.notes:
        notices.text(note)
    remarks = [(str(one.where), one.text, "left out") for one in one.measured.left_out]
    remarks += [(str(one.where), one.text, "used") for one in one.examples.notes]
    if not remarks:
        notices.write("Nothing is left out, and nothing in the files is strange.")
        return
    show_table(
        pd.DataFrame(remarks, columns=["Where", "What", "This example is"]),
        alt="What is left out or strange, and where",
    )  # fmt: skip


@remembered(most=24, by={StereoSetResult: lambda one: one.key})
def _order_does_not_matter(one: StereoSetResult) -> bool:
    return order_does_not_matter(one.examples, one.predictions, one.measured)


def _show_footer(shown: Sequence[StereoSetResult], parts: Sequence[Part] = ()) -> None:
    """One menu for all models, with the tables and charts of the page (`parts`), then a row per model."""
    scored = [(one.examples, one.predictions) for one in shown]
    ours = [one.measured for one in shown]
    numbers = partial(numbers_file, scored, ours)
    tables = [File(label, partial(numbers, end), f"stereoset{end}") for label, end in _NUMBERS.items()]
    files = [
        File(label, partial(numbers, ".json", names), f"stereoset.{names}.json", _JSON)
        for label, names in _METRICS.items()
    ]
    for one in shown:
        file = f"{one.predictions.name}.json"
        files.append(File(f"Predictions of {one.name}", partial(predictions_text, one.predictions), file, _JSON))
    show_menu("stereoset", [Part("stereoset", published=tables), *parts], files)
    if any(found.ties + found.related_ties for one in ours for found in one.cells):
        notices.write("In metrics files and the workbook ties count as published, elsewhere as chosen.", "pl-quiet")
    for one in shown:
        if signature := one.receipt.get("signature"):
            notices.text(signature, "pl-piece pl-quiet")
        with st.container(horizontal=True, vertical_alignment="center", key=f"stereoset_footer_{one.key}"):
            if len(shown) > 1:
                notices.text(one.name, "pl-label")
            runs = one.receipt.get("runs", {})
            run_ids = [run["run_id"] for run in runs.values()]
            show_receipt(partial(Made, one.receipt, one.methods, one.bibtex, run_ids), one.key)
            for task, run in runs.items():
                st.page_link(
                    "pages/results.py", label=f"In Results: {IN_WORDS[task].lower()}",
                    icon=":material/bookmark_added:", query_params={"view": "runs", "run": run["run_id"]},
                )  # fmt: skip

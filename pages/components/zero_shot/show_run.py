"""Finished runs of one question: the answers in words, beside published figures, paradigm by paradigm, in detail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.metrics import METRICS
from core.reports.reproduction import why_not, zipped
from core.runs.result import Result, babylm_archive, labels
from pages.components.shared import notices, resources
from pages.components.shared.datasets import show_whole_set
from pages.components.shared.downloads import File, Part, gathered_downloads, show_downloads, show_menu
from pages.components.shared.headlines import show_headlines
from pages.components.shared.items import show_items, show_undecided
from pages.components.shared.jobs import RunRequest
from pages.components.shared.paradigms import choose_metric, show_beside, show_paired, show_paradigms
from pages.components.shared.receipt import receipt_of_run, show_receipt
from pages.components.shared.tables import choose_detail, number_columns, show_table, show_tabs
from pages.components.zero_shot.show_policies import show_policies
from pages.components.zero_shot.show_reading_differences import show_reading_differences
from pages.components.zero_shot.show_reading_effects import show_reading_effects
from pages.components.zero_shot.show_temperatures import show_temperatures
from pages.components.zero_shot.unread import unread

_COLUMNS = {
    "model": "Model",
    "group": "Paradigm",
    "section": "Phenomenon",
    "n": "Items",
    "ties": "Ties",
    "undecided": "Too close",
    "excluded": "Left out",
    "n_clusters": "Independent contrasts",
}
_NUMBERS = {
    "value": "Value", "low": "95 % from", "high": "95 % to", "length_only": "By length alone",
    "chance": "A blind guess",
}  # fmt: skip

_PROGRAMS = {"r": "R", "notebook": "Notebooks"}


def show_runs_in_full(results: Sequence[Result], asked: Mapping[str, RunRequest]) -> None:
    """Headlines, charts, tabs and footer of runs of one task on the same data; `asked` by run id."""
    show_headlines(results, unread(results, asked))
    show_whole_set(results, "data" if asked else "")
    with gathered_downloads() as charts:
        show_reading_effects(results)
        show_reading_differences(results)
        metric = choose_metric(results[0])
        show_beside(results, metric)
        rows, chart, clicked = show_paradigms(results, metric)
        if len(rows):
            show_downloads(f"{results[0].manifest['run_id']}-paradigms-{metric}", rows, chart)
        if len(results) > 1:
            with notices.explained_errors():
                show_paired(results, metric)
    result = choose_detail(dict(zip(labels(results), results, strict=True)), "benchmark_details")
    given = asked.get(result.manifest["run_id"])
    show_tabs(
        {
            "Items by margin": lambda: show_items(result, clicked),
            "Paradigms": lambda: _show_table(rows, metric),
            "Temperature": lambda: show_temperatures(result, metric, given),
            "All policies": lambda: show_policies(result, metric, given),
            "Ties and exclusions": lambda: show_undecided(result),
        }
    )
    for one in results:
        _footer(one, charts)


def _show_table(rows: pd.DataFrame, metric: str) -> None:
    if rows.empty:
        notices.note(f"{METRICS[metric].title} has no numbers by paradigm in this run.")
        return
    columns = ["model", "group", "section", *_NUMBERS, "n", "ties", "undecided", "excluded", "n_clusters"]
    show_table(rows[columns], column_config=_COLUMNS | number_columns(_NUMBERS, metric))


def _footer(result: Result, charts: Sequence[Part]) -> None:
    run_id = result.manifest["run_id"]
    notices.write("$signature", "pl-piece pl-quiet", signature=result.manifest["signature"])
    with st.container(horizontal=True, key=f"footer_{run_id}"):
        parts = [Part(f"{run_id}-metrics", lambda: result.metrics), *charts]
        show_menu(run_id, parts, _for_programs(result))
        show_receipt(lambda: receipt_of_run(run_id), run_id)


def _for_programs(result: Result) -> list[File]:
    """The run for BabyLM, and what gives its numbers again elsewhere."""
    run_id = result.manifest["run_id"]
    forms = {form: label for form, label in _PROGRAMS.items() if not why_not(result, form)}
    again = [File(label, partial(_program, result, form), f"{run_id}-{form}.zip") for form, label in forms.items()]
    return [*again, File("BabyLM report", lambda: babylm_archive(result), f"{run_id}.zip", "application/zip")]


def _program(result: Result, form: str) -> bytes:
    return zipped([result], [form], resources.store())

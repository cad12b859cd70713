"""Parts of a report: its charts, drawn on this machine, and how the numbers of a run were made."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.charts.accuracy import accuracy_beside, accuracy_by_group, difference_by_group
from core.charts.named_rows import Measure
from core.metrics import METRICS
from core.results.printed import Figure, Numerals, figure
from core.results.result import Provenance
from core.runs.receipts.bibtex import bibtex, keys_of, model_of
from core.runs.receipts.methods import methods
from core.runs.receipts.numbers import number_of, stored_run
from core.runs.receipts.run import summary
from core.runs.result import Result, labels
from core.store import Store

MOST_GROUPS = 80
"""Rows of a chart; all of them are in the table below it."""
_NOTHING_PUBLISHED = pd.DataFrame(columns=["group", "system", "value"])


def drawn_by_group(results: Sequence[Result], finding: str, numerals: Numerals) -> Figure | None:
    """The headline metric by the task's main group, a mark per run; the runs alone where there is one group.

    All of one task. None for runs without a number.
    """
    name = results[0].metrics["name"].iloc[0]
    measure = Measure(METRICS[name].title, METRICS[name].scale)
    rows = pd.concat(
        [run.paradigms.assign(model=label) for run, label in zip(results, labels(results), strict=True)],
        ignore_index=True,
    ).dropna(subset=["value"])
    groups = list(dict.fromkeys(rows["group"]))
    if len(groups) > 1:
        shown = groups[:MOST_GROUPS]
        cut = f" The first {len(shown)} of {len(groups)} groups are drawn." if len(shown) < len(groups) else ""
        rows = rows[rows["group"].isin(shown)].reset_index(drop=True)
        return figure(accuracy_by_group(rows, finding, measure, _NOTHING_PUBLISHED), finding + cut, numerals)
    overall = pd.DataFrame(
        [
            {"name": label, "mark": "run", "note": "", **run.metrics.iloc[0][["value", "low", "high", "chance"]]}
            for run, label in zip(results, labels(results), strict=True)
        ]
    ).dropna(subset=["value"])
    if overall.empty:
        return None
    return figure(accuracy_beside(overall, finding, measure), finding, numerals)


def drawn_difference(rows: pd.DataFrame, names: tuple[str, str], finding: str, numerals: Numerals) -> Figure | None:
    """How far one run is ahead of another, group by group.

    `rows` are of `core.reports.run_comparison.two_runs.against`, without the overall one.
    """
    known = rows.dropna(subset=["difference"]).head(MOST_GROUPS).reset_index(drop=True)
    return figure(difference_by_group(known, finding, names), finding, numerals) if len(known) > 1 else None


def made(store: Store, run_id: str) -> Provenance:
    """With the receipt of the headline, without its tokens; StoreError for a run that is not there."""
    run = stored_run(store, run_id)
    receipt = summary(run, number_of(run))
    return Provenance(receipt, methods(receipt), bibtex(keys_of(receipt), model_of(receipt)))

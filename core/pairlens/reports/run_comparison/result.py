"""A comparison of runs as a result: what was found, tables, charts, what differs in how the runs were made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd

from pairlens.evaluation.receipts.bibtex import STATISTICS, bibtex
from pairlens.files.exports import workbook
from pairlens.metrics import METRICS
from pairlens.reports.run_comparison import parts, wording
from pairlens.reports.run_comparison.comparison import CHANGED, MOVES, RunComparison, compare_runs
from pairlens.reports.run_comparison.numbers import moments
from pairlens.reports.run_comparison.runs import APART, Run
from pairlens.results.result import Export, Figure, Headline, Notice, Provenance, Result, Table
from pairlens.statistics.wholes import interval_method
from pairlens.store import Store

_OF_TWO = ("differences", "changed_sides", "recipe")


def result(comparison: RunComparison) -> Result:
    """Headlines are of each run that is compared with the reference."""
    reference, runs, metric = comparison.reference, comparison.runs, METRICS[comparison.metric]
    items = comparison.items()
    shown = [
        *parts.by_group(comparison),
        *parts.by_pair(comparison),
        *parts.by_moment(comparison),
        *parts.by_item(comparison, items),
        *parts.recipe(comparison),
    ]
    tables = [part for part in shown if isinstance(part, Table)]
    whole = Export("Everything as an Excel workbook", ".xlsx", lambda: workbook(_sheets(comparison, tables)))
    return Result(
        study="compare-runs",
        question="What differs between runs, and is it more than chance?",
        title=f"{metric.title}: {', '.join(run.name for run in comparison.others)} and {reference.name}",
        file=f"compared-{reference.id}-{len(runs)}-{metric.name}",
        headlines=[line for run in comparison.others for line in _headlines(comparison, run, items)],
        tables=tables,
        figures=[part for part in shown if isinstance(part, Figure)],
        notices=[*_notices(comparison, items)],
        trace=partial(_provenance, comparison),
        exports=[whole],
    )


def of_two(store: Store, first: str, second: str, metric: str = "") -> Result:
    """The first run minus the second: what their comparison has beside the results of each."""
    whole = result(compare_runs(store, (first, second), second, metric))
    tables = [table for table in whole.tables if table.name in _OF_TWO]
    return replace(whole, tables=tables, figures=[figure for figure in whole.figures if figure.table in _OF_TWO])


def _headlines(comparison: RunComparison, run: Run, items: pd.DataFrame) -> Iterator[Headline]:
    row = next(row for _, row in comparison.overall.iterrows() if row["run_id"] == run.id)
    noun, scale = f"{run.task.noun}s", METRICS[comparison.metric].scale
    bounds = None if pd.isna(row["low"]) else (float(row["low"]), float(row["high"]))
    sentence = wording.finding(row, comparison.reference.name, comparison.metric, run.task)
    n = 0 if pd.isna(row["n"]) else int(row["n"])
    yield Headline("difference", run.name, float(row["difference"]), scale, sentence, n, noun, bounds)
    if changes := parts.sides(comparison, run, items):
        own = items[items["run"] == run.name]
        yield Headline("changed", run.name, float(own["right_in"].isin(CHANGED).sum()), noun, changes, len(own), noun)


def _notices(comparison: RunComparison, items: pd.DataFrame) -> Iterator[Notice]:
    reference, metric, task = comparison.reference, METRICS[comparison.metric], comparison.reference.task
    for caution in comparison.cautions:
        yield Notice("caution", "warning", caution)
    remarks = [
        wording.one_model(comparison.runs),
        wording.grounds(comparison.differences, metric.name, task),
        wording.beyond_chance(comparison.differences, parts.MOST_GROUPS),
        parts.of_pairs(comparison.pairwise()) if len(comparison.runs) > 2 else "",
        wording.recipe(comparison.recipe, MOVES),
        _ageless(comparison),
    ]
    if not metric.averages:
        remarks.append(f"{metric.title} is one number for all items, none of which is right or wrong.")
    elif all(shared.kind == APART for shared in comparison.bases.values()):
        remarks.append(
            f"No {task.noun} has the same wording in {reference.name} and another run: none can change sides."
        )
    elif items.empty:
        remarks.append(f"No {task.noun} could be judged in both runs.")
    elif task.confidential:
        remarks.append(f"The texts of {task.title} are confidential: only ids and numbers are stored and shown.")
    yield Notice("remark", "remark", " ".join(filter(None, remarks)))
    if task.page:
        yield Notice("elsewhere", "note", wording.elsewhere(task))


def _provenance(comparison: RunComparison) -> Provenance:
    """How the comparison is made again; the runs' own receipts say how their numbers were made."""
    ids, by = [run.id for run in comparison.runs], comparison.group_by
    chosen = {"reference": comparison.reference.id, "metric": comparison.metric, "by": by}
    options = [part for name, value in chosen.items() if value for part in (f"--{name}", value)]
    signatures = {run.id: run.manifest.get("signature") for run in comparison.runs}
    grounds = wording.grounds(comparison.differences, comparison.metric, comparison.reference.task)
    return Provenance(
        {"runs": signatures, **chosen},
        " ".join(filter(None, (*comparison.findings, grounds))),
        _bibtex(comparison),
        ids,
        shlex.join(["pairlens", "compare-runs", *ids, *options]),
        f"pairlens.compare_runs({ids!r}, {', '.join(f'{name}={value!r}' for name, value in chosen.items())})",
    )


def _bibtex(comparison: RunComparison) -> str:
    """What to cite for the task, the metric, and the methods of intervals, tests and corrections."""
    metric, rows = METRICS[comparison.metric], comparison.differences
    known, tested = rows[rows["low"].notna()], rows[rows["p"].notna()]
    of_items = "difference of paired shares" if metric.averages else interval_method(metric)
    methods = ["MOVER" if kind == APART else of_items for kind in known["basis"]]
    methods += ["exact McNemar" if wording.is_mcnemars(row) else "exchanging answers" for _, row in tested.iterrows()]
    methods += ["Holm"] if len(tested) > 1 else []
    cited = [key for name in dict.fromkeys(methods) for key in STATISTICS[name]]
    return bibtex([*comparison.reference.task.cites, *metric.cites, *cited])


def _sheets(comparison: RunComparison, tables: Sequence[Table]) -> dict[str, pd.DataFrame]:
    grounds = wording.grounds(comparison.differences, comparison.metric, comparison.reference.task)
    return {
        "findings": pd.DataFrame({"finding": [*comparison.findings, *comparison.cautions, grounds]}),
        **{table.name.replace("_", " "): table.frame for table in tables},
        "to cite": pd.DataFrame({"BibTeX": _bibtex(comparison).rstrip().split("\n\n")}),
    }


def _ageless(comparison: RunComparison) -> str:
    moment = moments(comparison.runs, comparison.reference.store)
    names = ", ".join(run.name for run in comparison.runs if moment and not moment[run.id].words)
    return f"Not over training, because their names do not say how much they had been trained: {names}." * bool(names)

"""A comparison of runs as a result: what was found, tables, charts, what differs in how the runs were made."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.analysis.summary import OVERALL
from pairlens.charts.accuracy import accuracy_by_group
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_comparison import differences_by_group, every_pair, margin_against_margin
from pairlens.charts.run_numbers import over_training
from pairlens.evaluation.receipts.bibtex import STATISTICS, bibtex
from pairlens.files.exports import workbook
from pairlens.messages import counted, joined
from pairlens.metrics import METRICS
from pairlens.reports.columns import of_frame
from pairlens.reports.run_comparison import wording
from pairlens.reports.run_comparison.comparison import CHANGED, MOVES, RunComparison, compare_runs, thinned
from pairlens.reports.run_comparison.numbers import ALL, curve, moments
from pairlens.reports.run_comparison.runs import APART, Run
from pairlens.results.result import Column, Export, Figure, Headline, Notice, Provenance, Result, Table
from pairlens.statistics.wholes import interval_method
from pairlens.store import Store

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

_MOST_GROUPS, _MOST_LINES = 40, 6
"""Rows of a chart, and lines of a curve; the tables have all."""
_WHOLE = "all"
_OF_TWO = ("differences", "changed_sides", "recipe")
_RECIPE = (
    Column("section", "Part", "What the setting is about."),
    Column("field", "Setting", "What may differ."),
    Column("effect", "Effect of a difference", "What a difference in it can do to the numbers."),
)


def result(comparison: RunComparison) -> Result:
    """Headlines are of each run that is compared with the reference."""
    reference, runs, metric = comparison.reference, comparison.runs, METRICS[comparison.metric]
    measure, names = Measure(metric.title, metric.scale), [run.name for run in runs]
    items = comparison.items()
    changed = items[items["right_in"].isin(CHANGED)].reset_index(drop=True)
    beyond = wording.beyond_chance(comparison.differences, _MOST_GROUPS)
    finding = joined(filter(None, (*comparison.findings, beyond)))
    tables = [
        _table("differences", "Tests by group", comparison, comparison.differences),
        _table("values", "Every number", comparison, comparison.values),
    ]
    by_group = partial(_largest, comparison)

    def beside(rows: pd.DataFrame) -> Chart:
        drawn = by_group(rows).dropna(subset=["value"]).rename(columns={"run": "model"})
        return accuracy_by_group(drawn.assign(section=drawn["group"]), finding, measure, sections=False)

    figures = [Figure("numbers", "values", beside, finding)] if comparison.values["value"].notna().any() else []
    if comparison.differences["difference"].notna().any():

        def beside_zero(rows: pd.DataFrame) -> Chart:
            return differences_by_group(by_group(rows), finding, measure, reference.name, names)

        figures.append(Figure("differences", "differences", beside_zero, finding))
    if len(runs) > 2:
        pairs = comparison.pairwise()
        of_pairs = _of_pairs(pairs)
        tables.append(_table("pairs", "Every pair", comparison, pairs))
        figures.append(
            Figure("every_pair", "pairs", lambda rows: every_pair(rows, of_pairs, measure), of_pairs, beside=True)
        )
    if moment := moments(runs, reference.store):
        points = curve(comparison.values, runs, moment)
        unit = points["unit"].iloc[0]
        extent = f"{points['checkpoint'].nunique()} checkpoints, up to {points['words'].max():,.0f} {unit}"

        def over_time(rows: pd.DataFrame) -> Chart:
            """All items, and each group if they are few."""
            drawn = rows if rows["line"].nunique() <= _MOST_LINES else rows[rows["line"] == ALL]
            return over_training(drawn, extent, measure, f"{unit.capitalize()} seen")

        tables.append(_table("training", "Over training", comparison, points))
        figures.append(Figure("training", "training", over_time, extent, beside=True))
    if len(items):
        tables.append(_table("changed_sides", "Items that changed sides", comparison, changed, most=500))
        tables.append(_table("margins", "All items", comparison, items))
        figures += [
            Figure(f"margins_{run.id}", "margins", partial(_margins, comparison, run), sides, beside=True)
            for run in comparison.others
            if (sides := _sides(comparison, run, items))
        ]
    if len(alone := comparison.alone()):
        tables.append(_table("alone", "Items without a counterpart", comparison, alone))
    named = [*_RECIPE, *(Column(name, name, "What this run has.") for name in names)]
    for name, title, differs in (("recipe", "What differs in the recipe", 1), ("same", "Identical settings", 0)):
        fields = comparison.recipe[comparison.recipe["differs"] == differs].drop(columns="differs")
        tables.append(Table.of(name, title, named, fields.reset_index(drop=True)))
    whole = Export("Everything as an Excel workbook", ".xlsx", lambda: workbook(_sheets(comparison, tables)))
    return Result(
        study="compare-runs",
        question="What differs between runs, and is it more than chance?",
        title=f"{metric.title}: {', '.join(run.name for run in comparison.others)} and {reference.name}",
        file=f"compared-{reference.id}-{len(runs)}-{metric.name}",
        headlines=[line for run in comparison.others for line in _headlines(comparison, run, items)],
        tables=tables,
        figures=figures,
        notices=[*_notices(comparison, items)],
        trace=partial(_provenance, comparison),
        exports=[whole],
    )


def of_two(store: Store, first: str, second: str, metric: str = "") -> Result:
    """The first run minus the second: what their comparison has beside the results of each."""
    whole = result(compare_runs(store, (first, second), second, metric))
    tables = [table for table in whole.tables if table.name in _OF_TWO]
    return replace(whole, tables=tables, figures=[figure for figure in whole.figures if figure.table in _OF_TWO])


def _table(name: str, title: str, comparison: RunComparison, frame: pd.DataFrame, most: int = 1_000) -> Table:
    style = ".1%" if METRICS[comparison.metric].scale == "share" else ".3f"
    described = of_frame(frame, comparison.reference.task.groups[0], style, formula="Prediction")
    return Table(name, title, described, lambda: frame, most)


def _headlines(comparison: RunComparison, run: Run, items: pd.DataFrame) -> Iterator[Headline]:
    row = next(row for _, row in comparison.overall.iterrows() if row["run_id"] == run.id)
    noun, scale = f"{run.task.noun}s", METRICS[comparison.metric].scale
    bounds = None if pd.isna(row["low"]) else (float(row["low"]), float(row["high"]))
    sentence = wording.finding(row, comparison.reference.name, comparison.metric, run.task)
    n = 0 if pd.isna(row["n"]) else int(row["n"])
    yield Headline("difference", run.name, float(row["difference"]), scale, sentence, n, noun, bounds)
    if sides := _sides(comparison, run, items):
        own = items[items["run"] == run.name]
        yield Headline("changed", run.name, float(own["right_in"].isin(CHANGED).sum()), noun, sides, len(own), noun)


def _notices(comparison: RunComparison, items: pd.DataFrame) -> Iterator[Notice]:
    reference, metric, task = comparison.reference, METRICS[comparison.metric], comparison.reference.task
    for caution in comparison.cautions:
        yield Notice("caution", "warning", caution)
    remarks = [
        wording.one_model(comparison.runs),
        wording.grounds(comparison.differences, metric.name, task),
        wording.beyond_chance(comparison.differences, _MOST_GROUPS),
        _of_pairs(comparison.pairwise()) if len(comparison.runs) > 2 else "",
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


# Sentences


def _of_pairs(pairs: pd.DataFrame) -> str:
    clear, n = int(pairs["clear"].sum()) // 2, len(pairs) // 2
    return f"{clear} of {n} pairs of runs differ beyond chance (corrected for {n} tests)."


def _ageless(comparison: RunComparison) -> str:
    moment = moments(comparison.runs, comparison.reference.store)
    names = ", ".join(run.name for run in comparison.runs if moment and not moment[run.id].words)
    return f"Not over training, because their names do not say how much they had been trained: {names}." * bool(names)


def _sides(comparison: RunComparison, run: Run, items: pd.DataFrame) -> str:
    """How many items changed sides between a run and the reference; empty where there is none to judge."""
    sides = items.loc[items["run"] == run.name, "right_in"]
    if sides.empty:
        return ""
    verb = "Counted" if METRICS[comparison.metric].higher_is_better is None else "Right"
    only, only_reference = (int((sides == side).sum()) for side in CHANGED)
    sentence = (
        f"{only + only_reference:,} of {counted(len(sides), run.task.noun)} changed sides. "
        f"{verb} in {run.name} only: {only:,}, in {comparison.reference.name} only: {only_reference:,}."
    )
    if partly := int((sides == "part").sum()):
        sentence += f" {partly:,} are ties or half right in at least one run and are on neither side."
    return sentence


# Charts


def _largest(comparison: RunComparison, table: pd.DataFrame) -> pd.DataFrame:
    """The overall rows, under one name whatever they are called, and those of groups with the largest differences."""
    overall, groups = table["group_by"] == OVERALL, comparison.differences.query("group_by != @OVERALL")
    sizes = groups["difference"].abs().groupby(groups["group"], sort=False).max()
    largest = sizes.nlargest(_MOST_GROUPS, keep="first").index
    return table.assign(group=table["group"].mask(overall, _WHOLE))[overall | table["group"].isin(largest)]


def _margins(comparison: RunComparison, run: Run, items: pd.DataFrame) -> Chart:
    own = thinned(items[items["run"] == run.name])
    return margin_against_margin(own, _sides(comparison, run, items), (run.name, comparison.reference.name))

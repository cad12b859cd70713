"""A benchmark over a model's training as a result: a number by checkpoint, and the order of learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import pandas as pd

from pairlens.analysis import checkpoints, published
from pairlens.analysis.summary import OVERALL
from pairlens.charts.drawing import Chart
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_numbers import over_training
from pairlens.errors import StoreError
from pairlens.evaluation.receipts.methods import provenance_of_runs
from pairlens.evaluation.result import Run, condition, read, short_names
from pairlens.evaluation.samples import items_of
from pairlens.metrics import METRICS
from pairlens.reports.columns import columns
from pairlens.reports.run_comparison.comparison import compare_runs
from pairlens.reports.run_report.wording import percent
from pairlens.results.result import Column, Figure, Headline, Notice, Result, Table
from pairlens.store import Store
from pairlens.store.sweeps import REFUSED, WAITING, Sweep
from pairlens.types import Task

ALL = "all paradigms"
_CURVE = ("line", "checkpoint", "words", "value", "low", "high", "n", "same_as")
_ORDER = (
    Column("group", "Paradigm", "The first one is learnt first: right from that checkpoint on to the last."),
    Column(
        "words", "Learnt at (median)", "How much had been seen; none if half or more are never learnt.", form=",.0f"
    ),
    Column("learnt", "Items learnt", "The share of items that are right from some checkpoint on.", form=".0%"),
    Column("n_items", "Items", "Items that every checkpoint decides.", form=",.0f"),
)
_SAY_IT = "Say it under Which, as in best=20000000, and run them again: scores are kept."


def numbers(store: Store, sweep: Sweep, metric: str) -> pd.DataFrame:
    """The rows of `checkpoints.curve` about one metric over items."""
    table = checkpoints.curve(store, sweep)
    return table[(table["name"] == metric) & (table["over"] == "items")]


def points_of(rows: pd.DataFrame, sweep: Sweep, main: str, paradigms: Sequence[str] = ()) -> pd.DataFrame:
    """What can be drawn of such rows: a `line` over all and one per paradigm, groups of the column `main`.

    Checkpoints of unknown age are not among them; one whose age was assumed counts as a repetition (`same_as`).
    """
    known = rows[rows["words"] > 0]
    overall = known[known["group_by"] == OVERALL].drop_duplicates("checkpoint").assign(line=ALL)
    groups = known[(known["group_by"] == main) & known["group"].isin(paradigms)]
    points = pd.concat([overall, groups.assign(line=groups["group"])])
    assumed = [point.name for point in sweep.points if point.assumed]
    return points.assign(same_as=points["same_as"].mask(points["checkpoint"].isin(assumed), "assumed"))


def result(
    store: Store, sweep: Sweep, task: Task, metric: str, rows: pd.DataFrame, paradigms: Sequence[str] = ()
) -> Result:
    """Of the `numbers` of a sweep, of which at least one point can be drawn."""
    points = points_of(rows, sweep, task.groups[0], paradigms)
    last, unit = points.iloc[points["words"].argmax()], points["unit"].iloc[0]
    finding = f"{sweep.model}: {points['checkpoint'].nunique()} checkpoints, up to {last['words']:,.0f} {unit}"
    others = rows[(rows["words"] > 0) & (rows["group_by"] == task.groups[0]) & ~rows["group"].isin(paradigms)]
    axis, baselines = f"{unit.capitalize()} seen", _published(read(store, str(last["run_id"])), metric)
    draw = partial(_draw, finding, metric, axis, others.assign(line=others["group"]), baselines)
    own = columns(_CURVE, ".1%" if METRICS[metric].scale == "share" else ".3f")
    tables = [Table.of("curve", "Checkpoints", own, points)]
    try:
        tables.append(Table.of("order", "Order of learning", _ORDER, checkpoints.acquisition_order(store, sweep)))
    except StoreError as none:
        orderless = [Notice("order", "detail", str(none))]
    else:
        orderless = []
    return Result(
        study="zero-shot",
        question="When does the model learn what is right?",
        title=f"{task.title} over training",
        file=f"{sweep.id}-curve",
        headlines=[_headline(points[points["line"] == ALL], sweep, metric, task)],
        tables=tables,
        figures=[Figure("training", "curve", draw, finding)],
        notices=[*_notices(rows, sweep), *orderless],
        trace=partial(provenance_of_runs, store, [*dict.fromkeys(points["run_id"])], worked=False),
    )


def _headline(points: pd.DataFrame, sweep: Sweep, metric: str, task: Task) -> Headline:
    """The number at the first and at the last checkpoint; a metric without one over all items has no sentence."""
    model, about = short_names([sweep.model])[sweep.model], METRICS[metric]
    if points.empty:
        return Headline(metric, model, float("nan"), about.scale, "", 0, f"{task.noun}s")
    first, last = points.iloc[0], points.iloc[-1]
    begun = f"{percent(first['value'], about.scale)} at {first['checkpoint']}, " if len(points) > 1 else ""
    items = items_of(sweep.data, int(last["n"]), task.noun)
    bounds = None if pd.isna(last["low"]) else (float(last["low"]), float(last["high"]))
    reach = (
        " ({} to {})".format(*(str(percent(one, about.scale)).rstrip("\xa0%") for one in bounds)) if bounds else ""
    )
    end = f"{percent(last['value'], about.scale)}{reach} at {last['checkpoint']}"
    sentence = f"{model}: {about.title.lower()} {begun}{end}, on {items}."
    return Headline(metric, model, float(last["value"]), about.scale, sentence, int(last["n"]), str(items), bounds)


def _notices(rows: pd.DataFrame, sweep: Sweep) -> Iterator[Notice]:
    """What is not there, or not as it should be."""
    if waiting := [point.name for point in sweep.points if point.state == WAITING]:
        yield Notice("waiting", "remark", f"Not finished yet: {', '.join(waiting)}.")
    for point in (point for point in sweep.points if point.state == REFUSED):
        yield Notice("refused", "warning", f"{point.name} is left out: {point.reason}")
    if len(ageless := rows[~(rows["words"] > 0)]["checkpoint"].unique()):
        unknown = f"Not drawn, because their names do not say what they had seen: {', '.join(ageless)}."
        yield Notice("ageless", "remark", unknown, advice=_SAY_IT)
    doubled = rows[(rows["same_as"] != "") & (rows["words"] > 0)].drop_duplicates("checkpoint")
    twins = [f"{row.checkpoint} has the weights of {row.same_as}" for row in doubled.itertuples()]
    twins += [f"{point.name} is taken to be as old as the last" for point in sweep.points if point.assumed]
    if twins:
        yield Notice("hollow", "remark", f"Hollow: {'; '.join(twins)}.")


def _published(run: Run, metric: str) -> pd.DataFrame:
    """Published numbers that may be drawn beside a run: system, value."""
    overall = run.metrics[(run.metrics["name"] == metric) & (run.metrics["group_by"] == OVERALL)]
    if overall.empty:
        return pd.DataFrame(columns=["system", "value"])
    known = published.beside(run.task.name, metric, overall, condition(run))
    return known[known["mark"] == published.SAME]


def _draw(
    finding: str, metric: str, axis: str, others: pd.DataFrame, baselines: pd.DataFrame, points: pd.DataFrame
) -> Chart:
    measure = Measure(METRICS[metric].title, METRICS[metric].scale)
    return over_training(points, finding, measure, axis, others, baselines)


def turned(store: Store, rows: pd.DataFrame, line: str, checkpoint: str, main: str) -> pd.DataFrame:
    """The items that changed sides between a checkpoint and the one before: `pairlens.reports.run_comparison`."""
    runs = rows[rows["words"] > 0].sort_values("words").drop_duplicates("checkpoint")[["checkpoint", "run_id"]]
    places = runs["checkpoint"].eq(checkpoint).to_numpy().nonzero()[0]
    if not len(places) or not places[0]:
        return pd.DataFrame()
    before, here = runs["run_id"].iloc[places[0] - 1], runs["run_id"].iloc[places[0]]
    if before == here:
        return pd.DataFrame()
    items = compare_runs(store, [here, before], before).flipped()
    return items if line == ALL else items[items[main] == line]

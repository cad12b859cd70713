"""Tables and figures of a comparison of runs: by group, by pair of runs, over training, by item, and the recipe."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from pairlens.analysis.summary import OVERALL
from pairlens.charts.accuracy import accuracy_by_group
from pairlens.charts.named_rows import Measure
from pairlens.charts.run_comparison import differences_by_group, every_pair, margin_against_margin
from pairlens.charts.run_numbers import over_training
from pairlens.messages import counted, joined
from pairlens.metrics import METRICS
from pairlens.reports.columns import of_frame
from pairlens.reports.run_comparison import wording
from pairlens.reports.run_comparison.comparison import CHANGED, RunComparison, thinned
from pairlens.reports.run_comparison.numbers import ALL, curve, moments
from pairlens.reports.run_comparison.runs import Run
from pairlens.results.result import Column, Figure, Table

if TYPE_CHECKING:
    from pairlens.charts.drawing import Chart

MOST_GROUPS, _MOST_LINES = 40, 6
"""Rows of a chart, and lines of a curve; the tables have all."""
_WHOLE = "all"
_RECIPE = (
    Column("section", "Part", "What the setting is about."),
    Column("field", "Setting", "What may differ."),
    Column("effect", "Effect of a difference", "What a difference in it can do to the numbers."),
)


def by_group(comparison: RunComparison) -> Iterator[Table | Figure]:
    """All numbers of all runs, and their differences from the reference, overall and by group."""
    yield _table("differences", "Tests by group", comparison, comparison.differences)
    yield _table("values", "Every number", comparison, comparison.values)
    beyond = wording.beyond_chance(comparison.differences, MOST_GROUPS)
    finding = joined(filter(None, (*comparison.findings, beyond)))
    measure, largest = _measure(comparison), partial(_largest, comparison)

    def beside(rows: pd.DataFrame) -> Chart:
        drawn = largest(rows).dropna(subset=["value"]).rename(columns={"run": "model"})
        return accuracy_by_group(drawn.assign(section=drawn["group"]), finding, measure, sections=False)

    def beside_zero(rows: pd.DataFrame) -> Chart:
        names = [run.name for run in comparison.runs]
        return differences_by_group(largest(rows), finding, measure, comparison.reference.name, names)

    if comparison.values["value"].notna().any():
        yield Figure("numbers", "values", beside, finding)
    if comparison.differences["difference"].notna().any():
        yield Figure("differences", "differences", beside_zero, finding)


def by_pair(comparison: RunComparison) -> Iterator[Table | Figure]:
    """Of more than two runs, each beside each other."""
    if len(comparison.runs) > 2:
        pairs, measure = comparison.pairwise(), _measure(comparison)
        about = of_pairs(pairs)
        yield _table("pairs", "Every pair", comparison, pairs)
        yield Figure("every_pair", "pairs", lambda rows: every_pair(rows, about, measure), about, beside=True)


def by_moment(comparison: RunComparison) -> Iterator[Table | Figure]:
    """Of checkpoints of one training, the curve."""
    if not (moment := moments(comparison.runs, comparison.reference.store)):
        return
    points, measure = curve(comparison.values, comparison.runs, moment), _measure(comparison)
    unit = points["unit"].iloc[0]
    extent = f"{points['checkpoint'].nunique()} checkpoints, up to {points['words'].max():,.0f} {unit}"

    def over_time(rows: pd.DataFrame) -> Chart:
        """All items, and each group if they are few."""
        drawn = rows if rows["line"].nunique() <= _MOST_LINES else rows[rows["line"] == ALL]
        return over_training(drawn, extent, measure, f"{unit.capitalize()} seen")

    yield _table("training", "Over training", comparison, points)
    yield Figure("training", "training", over_time, extent, beside=True)


def by_item(comparison: RunComparison, items: pd.DataFrame) -> Iterator[Table | Figure]:
    """The items that both runs of a pair have, and those that only one has."""
    if len(items):
        changed = items[items["right_in"].isin(CHANGED)].reset_index(drop=True)
        yield _table("changed_sides", "Items that changed sides", comparison, changed, most=500)
        yield _table("margins", "All items", comparison, items)
        for run in comparison.others:
            if changes := sides(comparison, run, items):
                yield Figure(f"margins_{run.id}", "margins", partial(_margins, comparison, run), changes, beside=True)
    if len(alone := comparison.alone()):
        yield _table("alone", "Items without a counterpart", comparison, alone)


def recipe(comparison: RunComparison) -> Iterator[Table]:
    columns = [*_RECIPE, *(Column(run.name, run.name, "What this run has.") for run in comparison.runs)]
    for name, title, differs in (("recipe", "What differs in the recipe", 1), ("same", "Identical settings", 0)):
        fields = comparison.recipe[comparison.recipe["differs"] == differs].drop(columns="differs")
        yield Table.of(name, title, columns, fields.reset_index(drop=True))


def _measure(comparison: RunComparison) -> Measure:
    metric = METRICS[comparison.metric]
    return Measure(metric.title, metric.scale)


def _table(name: str, title: str, comparison: RunComparison, frame: pd.DataFrame, most: int = 1_000) -> Table:
    style = ".1%" if METRICS[comparison.metric].scale == "share" else ".3f"
    described = of_frame(frame, comparison.reference.task.groups[0], style, formula="Prediction")
    return Table(name, title, described, lambda: frame, most)


def _largest(comparison: RunComparison, table: pd.DataFrame) -> pd.DataFrame:
    """The overall rows, under one name whatever they are called, and those of groups with the largest differences."""
    overall, groups = table["group_by"] == OVERALL, comparison.differences.query("group_by != @OVERALL")
    sizes = groups["difference"].abs().groupby(groups["group"], sort=False).max()
    largest = sizes.nlargest(MOST_GROUPS, keep="first").index
    return table.assign(group=table["group"].mask(overall, _WHOLE))[overall | table["group"].isin(largest)]


def _margins(comparison: RunComparison, run: Run, items: pd.DataFrame) -> Chart:
    own = thinned(items[items["run"] == run.name])
    return margin_against_margin(own, sides(comparison, run, items), (run.name, comparison.reference.name))


def of_pairs(pairs: pd.DataFrame) -> str:
    clear, n = int(pairs["clear"].sum()) // 2, len(pairs) // 2
    return f"{clear} of {n} pairs of runs differ beyond chance (corrected for {n} tests)."


def sides(comparison: RunComparison, run: Run, items: pd.DataFrame) -> str:
    """How many items changed sides between a run and the reference; empty where there is none to judge."""
    changes = items.loc[items["run"] == run.name, "right_in"]
    if changes.empty:
        return ""
    verb = "Counted" if METRICS[comparison.metric].higher_is_better is None else "Right"
    only, only_reference = (int((changes == side).sum()) for side in CHANGED)
    sentence = (
        f"{only + only_reference:,} of {counted(len(changes), run.task.noun)} changed sides. "
        f"{verb} in {run.name} only: {only:,}, in {comparison.reference.name} only: {only_reference:,}."
    )
    if partly := int((changes == "part").sum()):
        sentence += f" {partly:,} are ties or half right in at least one run and are on neither side."
    return sentence

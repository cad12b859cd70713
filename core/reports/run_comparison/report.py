"""A comparison as a whole: everything that a page shows and a command writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.analysis.paired import margins
from core.analysis.summary import OVERALL
from core.errors import PolicyError, unknown
from core.metrics import METRICS
from core.reports.run_comparison import wording
from core.reports.run_comparison.basis import APART, Basis, Twins, basis, twins
from core.reports.run_comparison.chosen import Run, chosen_metric, read_runs
from core.reports.run_comparison.numbers import differences, groups_of, pairwise, values
from core.reports.run_comparison.recipes import recipe_table
from core.reports.run_comparison.verdict import is_mcnemars
from core.runs.receipts.bibtex import STATISTICS, bibtex
from core.statistics.wholes import interval_method
from core.store import Store


@dataclass(frozen=True)
class RunComparison:
    """Runs compared with one of them by one metric.

    `bases` say by run id what each other run and the reference share; `values` and `differences` are as in
    `core.reports.run_comparison.numbers`, `recipe` as in `recipes`.
    """

    runs: tuple[Run, ...]
    reference: Run
    metric: str
    bases: Mapping[str, Basis]
    values: pd.DataFrame
    differences: pd.DataFrame
    recipe: pd.DataFrame
    twins: tuple[Twins, ...]

    @property
    def others(self) -> tuple[Run, ...]:
        """All but the reference."""
        return tuple(run for run in self.runs if run.id != self.reference.id)

    @property
    def findings(self) -> list[str]:
        """A sentence per other run: how far it is from the reference."""
        overall = self.differences[self.differences["group_by"] == OVERALL]
        task = self.reference.task
        return [wording.finding(row, self.reference.name, self.metric, task) for _, row in overall.iterrows()]

    @property
    def cautions(self) -> list[str]:
        """What changes the meaning of the differences: other items, the same weights under two names."""
        by_basis = (wording.based_on(run, self.reference, self.bases[run.id]) for run in self.others)
        return [*filter(None, by_basis), *map(wording.about_twins, self.twins)]

    def margins(self, run: Run) -> pd.DataFrame:
        """Every item's margin in a run and in the reference (`core.reports.run_comparison.report`)."""
        return item_margins(run, self.reference, self.bases[run.id], self.metric)

    def flipped(self) -> pd.DataFrame:
        """The items that changed sides between the reference and any other run; `run` names it."""
        tables = [flipped(self.margins(run)).assign(run=run.name) for run in self.others]
        table = pd.concat(tables, ignore_index=True).assign(reference=self.reference.name)
        first = ["run", "reference", "item"]
        return table[[*first, *(name for name in table.columns if name not in first)]]

    def pairwise(self) -> pd.DataFrame:
        """The overall difference of every two runs."""
        return pairwise(self.runs, self.metric)

    def bibtex(self) -> str:
        """What to cite for the task, the metric, and the methods of intervals, tests and corrections."""
        metric, rows = METRICS[self.metric], self.differences
        known, tested = rows[rows["low"].notna()], rows[rows["p"].notna()]
        of_items = "difference of paired shares" if metric.averages else interval_method(metric)
        methods = ["MOVER" if kind == APART else of_items for kind in known["basis"]]
        methods += ["exact McNemar" if is_mcnemars(row) else "exchanging answers" for _, row in tested.iterrows()]
        methods += ["Holm"] if len(tested) > 1 else []
        cited = [key for name in dict.fromkeys(methods) for key in STATISTICS[name]]
        return bibtex([*self.reference.task.cites, *metric.cites, *cited])

    def sheets(self) -> dict[str, pd.DataFrame]:
        """All of it as the sheets of a workbook."""
        said = [*self.findings, *self.cautions, wording.grounds(self.differences, self.metric, self.reference.task)]
        matrix = {"every pair": self.pairwise()} if len(self.runs) > 2 else {}
        return {
            "findings": pd.DataFrame({"finding": said}),
            "differences": self.differences,
            "values": self.values,
            **matrix,
            "changed sides": self.flipped(),
            "recipes": self.recipe,
            "to cite": pd.DataFrame({"BibTeX": self.bibtex().rstrip().split("\n\n")}),
        }


def compare_runs(
    store: Store, run_ids: Sequence[str], reference: str = "", metric: str = "", group_by: str = ""
) -> RunComparison:
    """Compare stored runs with one of them (by default the first), by a metric (the headline) and a group (the main).

    PairlensError, in one sentence, for runs that cannot be compared and for an unknown reference, metric or group.
    """
    runs = read_runs(store, run_ids)
    if reference and reference not in run_ids:
        raise PolicyError(f"The reference must be one of the runs. {unknown('run among them', reference, run_ids)}")
    against = next(run for run in runs if run.id == (reference or run_ids[0]))
    name = chosen_metric(runs, metric)
    groups = groups_of(runs, name)
    if group_by and group_by not in groups:
        raise PolicyError(unknown("group of these numbers", group_by, groups))
    by = group_by or next(iter(groups), "")
    bases = {run.id: basis(run, against) for run in runs if run.id != against.id}
    return RunComparison(
        tuple(runs),
        against,
        name,
        bases,
        values(runs, name, by),
        differences(runs, against, name, by, bases),
        recipe_table(runs),
        tuple(twins(runs)),
    )


CHANGED = ("run", "reference")
"""Values of `right_in` of items that flipped: only this run has them right, or only the reference."""


def item_margins(run: Run, reference: Run, shared: Basis, metric: str) -> pd.DataFrame:
    """The items that count in both runs, the largest change of margin first; none if they share none.

    item, the groups
    context, right, rival  as in `core.analysis.paired.margins`
    texts                  instead of these three, for items of which no candidate is right: all, with their labels;
                           missing for confidential tasks, which have no texts
    margin, margin_reference, change    bits (per token if the policies compare means); the run minus the reference
    right_in               `run` or `reference` where one of them alone is right, else `both`, `neither` or `part`
    """
    if not METRICS[metric].averages or shared.first.empty:
        return pd.DataFrame(columns=["item", "margin", "margin_reference", "change", "right_in"])
    policies = run.policy, reference.policy
    table = margins(shared.first, shared.second, run.task, policies, run.rule, metric)
    table = table.rename(columns={"margin_a": "margin", "margin_b": "margin_reference"})
    table["right_in"] = table["right_in"].replace({"a": CHANGED[0], "b": CHANGED[1]})
    if table["right"].isna().all():
        return table.drop(columns=["context", "right", "rival"]).join(_texts(shared.first), on="item")
    return table


def flipped(items: pd.DataFrame) -> pd.DataFrame:
    """Of such items those that only one of the two runs has right."""
    return items[items["right_in"].isin(CHANGED)].reset_index(drop=True)


def thinned(items: pd.DataFrame, most: int = 1_000) -> pd.DataFrame:
    """So many of those that flipped and as many of the others, taken evenly over all changes of margin."""
    sides = items["right_in"].isin(CHANGED)
    return pd.concat([_evenly(part, most) for part in (items[~sides], items[sides])], ignore_index=True)


def _evenly(items: pd.DataFrame, most: int) -> pd.DataFrame:
    if len(items) <= most:
        return items
    return items.iloc[np.linspace(0, len(items) - 1, most).round().astype(int)]


def _texts(candidates: pd.DataFrame) -> pd.Series:
    """By item, its candidates with their labels; missing for confidential tasks."""
    known = candidates[candidates["text"].notna()].sort_values("candidate", kind="stable")
    words = known["label"].astype("str") + ": " + known["text"].astype("str").str.strip()
    return words.groupby(known["item"], sort=False).agg(" · ".join).rename("texts")

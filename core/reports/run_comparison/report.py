"""A comparison as a whole: everything that a page shows and a command writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core.analysis.summary import OVERALL
from core.errors import PolicyError, unknown
from core.metrics import METRICS
from core.reports.run_comparison import wording
from core.reports.run_comparison.basis import APART, Basis, basis
from core.reports.run_comparison.chosen import Run, chosen_metric, read_runs
from core.reports.run_comparison.flips import flipped, item_margins
from core.reports.run_comparison.numbers import differences, groups_of, pairwise, values
from core.reports.run_comparison.recipes import recipe_table
from core.reports.run_comparison.twins import Twins, twins
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
        """Every item's margin in a run and in the reference (`core.reports.run_comparison.flips`)."""
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

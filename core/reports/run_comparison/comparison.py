"""Runs compared with one of them: numbers, differences, recipes, and the items that changed sides."""

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
from core.reports.run_comparison.numbers import differences, groups_of, pairwise, values
from core.reports.run_comparison.recipes import recipe_table
from core.reports.run_comparison.runs import Basis, Run, Twins, basis, chosen_metric, read_runs, twins
from core.store import Store


@dataclass(frozen=True)
class RunComparison:
    """Runs compared with one of them by one metric, whose groups are those of `group_by` (empty if it has none).

    `bases` say by run id what each other run and the reference share; `values` and `differences` are as in
    `core.reports.run_comparison.numbers`, `recipe` as in `recipes`.
    """

    runs: tuple[Run, ...]
    reference: Run
    metric: str
    group_by: str
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
    def overall(self) -> pd.DataFrame:
        """The differences of whole runs, one row per other run."""
        return self.differences[self.differences["group_by"] == OVERALL]

    @property
    def findings(self) -> list[str]:
        """A sentence per other run: how far it is from the reference."""
        reference, task = self.reference.name, self.reference.task
        return [wording.finding(row, reference, self.metric, task) for _, row in self.overall.iterrows()]

    @property
    def cautions(self) -> list[str]:
        """What changes the meaning of the differences: other items, the same weights under two names."""
        by_basis = (wording.based_on(run, self.reference, self.bases[run.id]) for run in self.others)
        return [*filter(None, by_basis), *map(wording.about_twins, self.twins)]

    def margins(self, run: Run) -> pd.DataFrame:
        """The items that count in a run and in the reference, the largest change of margin first.

        Columns: item, the groups; context, right, rival (as in `core.analysis.paired.margins`; or texts, all with
        their labels, for items of which no candidate is right; missing for confidential tasks); margin,
        margin_reference, change in bits (per token if the policies compare means), the run minus the reference;
        right_in: `run` or `reference` where one of them alone is right, else `both`, `neither` or `part`.
        """
        shared = self.bases[run.id]
        if not METRICS[self.metric].averages or shared.first.empty:
            return pd.DataFrame(columns=["item", "margin", "margin_reference", "change", "right_in"])
        policies = run.policy, self.reference.policy
        table = margins(shared.first, shared.second, run.task, policies, run.rule, self.metric)
        table = table.rename(columns={"margin_a": "margin", "margin_b": "margin_reference"})
        table["right_in"] = table["right_in"].replace({"a": CHANGED[0], "b": CHANGED[1]})
        if table["right"].isna().all():
            return table.drop(columns=["context", "right", "rival"]).join(_texts(shared.first), on="item")
        return table

    def items(self) -> pd.DataFrame:
        """The margins of every item in the reference and each other run; `run` names it."""
        table = pd.concat([self.margins(run).assign(run=run.name) for run in self.others], ignore_index=True)
        table = table.assign(reference=self.reference.name)
        first = ["run", "reference", "item"]
        return table[[*first, *(name for name in table.columns if name not in first)]]

    def flipped(self) -> pd.DataFrame:
        """Of these the items that changed sides."""
        items = self.items()
        return items[items["right_in"].isin(CHANGED)].reset_index(drop=True)

    def pairwise(self) -> pd.DataFrame:
        """The overall difference of every two runs."""
        return pairwise(self.runs, self.metric)


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
        by,
        bases,
        values(runs, name, by),
        differences(runs, against, name, by, bases),
        recipe_table(runs),
        tuple(twins(runs)),
    )


CHANGED = ("run", "reference")
"""Values of `right_in` of items that flipped: only this run has them right, or only the reference."""


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

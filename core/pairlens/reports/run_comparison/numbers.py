"""Numbers of runs beside each other, by group, and their differences with intervals and tests."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from pairlens.analysis.paired import paired, refuse_unlike
from pairlens.analysis.summary import OVERALL
from pairlens.errors import InputError
from pairlens.reports.run_comparison.runs import APART, Basis, Run, basis, chosen_metric, read_runs
from pairlens.scoring.checkpoints import says_training, seen
from pairlens.statistics.paired import holm
from pairlens.store import Store, sweeps

ALPHA = 0.05
_KEY = ["group_by", "group"]
_OF_ITEMS = (
    "n", "n_clusters", "freedom", "unscored", "unscored_reference", "only_run", "only_reference", "p", "p_mcnemar",
)  # fmt: skip
"""What is known of a difference only where it is one of single items."""
_FIRST = (
    "run", "run_id", "reference", "reference_id", "basis", *_KEY, "value", "value_reference",
    "difference", "low", "high",
)  # fmt: skip
_OF_SUMMARY = ["value", "low", "high", "n", "n_clusters", "ties", "excluded", "chance"]


def groups_of(runs: Sequence[Run], metric: str) -> list[str]:
    """The columns by which the metric of every run is given, the main one first."""
    first, *others = (run.metrics[run.metrics["name"] == metric]["group_by"].unique().tolist() for run in runs)
    return [name for name in first if name != OVERALL and all(name in other for other in others)]


def values(runs: Sequence[Run], metric: str, group_by: str = "") -> pd.DataFrame:
    """Every run's number, overall and by group, over all items that it could score: run, run_id and a summary's."""
    tables = []
    for run in runs:
        rows = run.metrics[(run.metrics["name"] == metric) & (run.metrics["over"] == "items")]
        rows = rows[(rows["group_by"] == group_by) | ~rows.duplicated("name")]
        tables.append(rows[[*_KEY, *_OF_SUMMARY]].assign(run=run.name, run_id=run.id))
    return pd.concat(tables, ignore_index=True)[["run", "run_id", *_KEY, *_OF_SUMMARY]]


def independent(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Differences (with low, high) of aligned numbers about other items, from their own intervals (Newcombe 1998)."""
    difference = first["value"] - second["value"]
    down = np.hypot(first["value"] - first["low"], second["high"] - second["value"])
    up = np.hypot(first["high"] - first["value"], second["value"] - second["low"])
    return pd.DataFrame({"difference": difference, "low": difference - down, "high": difference + up})


def differences(
    runs: Sequence[Run], reference: Run, metric: str, group_by: str = "", known: Mapping[str, Basis] | None = None
) -> pd.DataFrame:
    """Each run minus the reference, overall and by group; `known` are bases by run id, if they were found before.

    run, run_id, basis        the other run's name and id, and what both are compared by (`Basis.kind`)
    group_by, group           `overall` first, then the groups
    value, value_reference    over the items that count in both; where they share none, each over its own
    difference, low, high     with its 95 % interval (`pairlens.analysis.paired`), else as of `independent`
    _OF_ITEMS                 as in `pairlens.analysis.paired`; missing without common items, p also for what is no
                              mean
    p_holm                    corrected for all tests of its kind here: those overall, or those by group
    clear                     the interval does not hold 0, nor is `p_holm`, where there is one, 0.05 or more
    """
    bases = known or {run.id: basis(run, reference) for run in runs}
    tables = [
        _difference(run, reference, bases[run.id], metric, group_by).assign(
            run=run.name, run_id=run.id, basis=bases[run.id].kind
        )
        for run in runs
        if run.id != reference.id
    ]
    return _judged(pd.concat(tables, ignore_index=True))


def pairwise(runs: Sequence[Run], metric: str) -> pd.DataFrame:
    """The overall `differences` of every two runs (`run` minus `reference`), both ways round, corrected for all."""
    tables = []
    for one, other in combinations(runs, 2):
        rows = _difference(one, other, basis(one, other), metric, "")
        tables.append(rows.assign(run=one.name, run_id=one.id, reference=other.name, reference_id=other.id))
    table = _judged(pd.concat(tables, ignore_index=True))
    return pd.concat([table, _turned(table)], ignore_index=True)


def paired_runs(store: Store, first: str, second: str, metric: str = "") -> pd.DataFrame:
    """Two stored runs compared by a metric, by default the headline's (`paired`); StoreError for other items."""
    runs = one, other = read_runs(store, (first, second))
    refuse_unlike(one.manifest, other.manifest)
    name = chosen_metric(runs, metric)
    return paired(one.candidates, other.candidates, one.task, (one.policy, other.policy), name)


def _difference(run: Run, reference: Run, shared: Basis, metric: str, group_by: str) -> pd.DataFrame:
    if shared.kind == APART:
        a, b = (values([one], metric, group_by).set_index(_KEY) for one in (run, reference))
        common = a.index[a.index.isin(b.index)]
        if common.empty:
            raise InputError(f"'{run.id}' and '{reference.id}' have neither an item nor a group in common.")
        a, b = a.loc[common], b.loc[common]
        return (
            independent(a, b)
            .assign(value=a["value"], value_reference=b["value"])
            .assign(**dict.fromkeys(_OF_ITEMS, np.nan))
            .reset_index()
        )
    policies = run.policy, reference.policy
    rows = paired(shared.first, shared.second, run.task, policies, metric, group_by or None)
    return rows.rename(
        columns={
            "value_a": "value", "value_b": "value_reference", "only_a": "only_run", "only_b": "only_reference",
            "unscored_a": "unscored", "unscored_b": "unscored_reference",
        }
    )  # fmt: skip


def _judged(table: pd.DataFrame) -> pd.DataFrame:
    """With Holm's correction over all overall tests, and over all tests by group; and what is clear after it."""
    overall = table["group_by"] == OVERALL
    corrected = table["p"].to_numpy(np.float64, copy=True)
    for rows in (overall, ~overall):
        corrected[rows] = holm(corrected[rows])
    beyond = (table["low"] > 0) | (table["high"] < 0)
    judged = table.assign(p_holm=corrected, clear=beyond & ~(corrected >= ALPHA))
    first = [name for name in _FIRST if name in judged]
    return judged[[*first, *(name for name in judged if name not in first)]]


def _turned(table: pd.DataFrame) -> pd.DataFrame:
    """The same differences the other way round."""
    names = {
        "run": "reference", "run_id": "reference_id", "value": "value_reference", "only_run": "only_reference",
        "unscored": "unscored_reference", "low": "high", "low_contrasts": "high_contrasts",
    }  # fmt: skip
    turned = table.rename(columns=names | {new: old for old, new in names.items()})
    signed = ("difference", "low", "high", "low_contrasts", "high_contrasts")
    return turned.assign(**{name: 0.0 - turned[name] for name in signed if name in turned})  # never -0.0


ALL = "all items"
_QUESTION = ("task_version", "rule", "data_hash", "scorer", "policy")
_LAST = re.compile(r"[/@]")


@dataclass(frozen=True, slots=True)
class Moment:
    """A checkpoint's name and how much it had seen, in `unit`; None if its name does not say."""

    name: str
    words: int | None
    unit: str


def moments(runs: Sequence[Run], store: Store) -> Mapping[str, Moment]:
    """By run id, when in the training of one model each run was made; empty if they are no checkpoints of one.

    They are if a stored sweep says so, or if they are named as checkpoints of one folder or repository and were asked
    the same under the same policy; and at least two say how much they had seen, in one unit.
    """
    first, *others = runs
    if any(other.manifest.get(field) != first.manifest.get(field) for other in others for field in _QUESTION):
        return {}
    moments = _of_a_sweep(runs, store) or _by_name(runs)
    known = [moment for moment in moments.values() if moment.words]
    if len({one.words for one in known}) < 2 or len({one.unit for one in known}) > 1:
        return {}
    return moments


def curve(values: pd.DataFrame, runs: Sequence[Run], moments: Mapping[str, Moment]) -> pd.DataFrame:
    """Points for `pairlens.charts.run_numbers.over_training`: a line for all items and one per group, in their order.

    Columns: line, checkpoint, words, unit, value, low, high, n, same_as. Checkpoints of unknown age are not in it.
    """
    rows = [(run.id, *astuple(moments[run.id]), run.manifest["weights"]) for run in runs]
    ages = pd.DataFrame(rows, columns=["run_id", "checkpoint", "words", "unit", "weights"])
    ages = ages.sort_values("words", kind="stable", na_position="first")
    first = ages.groupby("weights")["checkpoint"].transform("first")
    ages["same_as"] = first.where(first != ages["checkpoint"], "")
    points = values.merge(ages, on="run_id")
    points["line"] = points["group"].where(points["group_by"] != OVERALL, ALL)
    columns = ["line", "checkpoint", "words", "unit", "value", "low", "high", "n", "same_as"]
    return points[points["words"] > 0].sort_values("words", kind="stable")[columns].reset_index(drop=True)


def _of_a_sweep(runs: Sequence[Run], store: Store) -> dict[str, Moment]:
    """From the newest sweep that has all of these runs."""
    wanted = {run.id for run in runs}
    for sweep in sweeps.sweeps(store):
        points = {point.run_id: Moment(point.name, point.words, point.unit) for point in reversed(sweep.points)}
        if wanted <= points.keys():
            return {run_id: points[run_id] for run_id in wanted}
    return {}


def _by_name(runs: Sequence[Run]) -> dict[str, Moment]:
    """From the last part of the models' names, if what stands before it is the same."""
    parts = {run.id: _LAST.split(str(run.manifest["model"])) for run in runs}
    telling = [name for *_, name in parts.values() if says_training(name)]
    if not telling or len({tuple(part[:-1]) for part in parts.values()}) > 1:
        return {}
    return {run_id: Moment(part[-1], *seen(part[-1])) for run_id, part in parts.items()}

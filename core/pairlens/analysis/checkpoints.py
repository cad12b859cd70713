"""Results of a sweep over checkpoints: how each number grows, and when each item is learnt."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.items import deciding_metric
from pairlens.errors import StoreError
from pairlens.policies import Policy
from pairlens.store import Store
from pairlens.store.sweeps import DONE, Point, Sweep
from pairlens.tasks import TASKS
from pairlens.types import Metric

_OF_POINT = ("checkpoint", "words", "unit", "run_id", "same_as")
_OF_NUMBER = ("name", "group_by", "group", "over", "value", "low", "high", "n", "chance")


def curve(store: Store, sweep: Sweep) -> pd.DataFrame:
    """Every number of every checkpoint whose run is done, in the order of training.

    checkpoint, words, unit    its name, and the amount of training in this unit; NaN if unknown
    run_id, same_as            its run; the earlier checkpoint with the same weights and so this run, else empty
    name, group_by, group, over, value, low, high, n, chance    as in a summary (`pairlens.analysis.summary`)
    """
    tables = [
        store.metrics(point.run_id).reindex(columns=_OF_NUMBER).assign(**_about(point, same_as))
        for point, same_as in _done(store, sweep)
    ]
    whole = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=[*_OF_POINT, *_OF_NUMBER])
    return whole[[*_OF_POINT, *_OF_NUMBER]]


def acquisition(store: Store, sweep: Sweep) -> pd.DataFrame:
    """One row per item: the checkpoint from which on the model is always right about it.

    item, group; checkpoint and its words (missing and infinite if the last is wrong or ties); n_right of n
    checkpoints. Leaves out checkpoints of unknown age, repeated ones, and items excluded anywhere. StoreError for a
    task without right and wrong, and for a sweep without finished checkpoints of known age.
    """
    points = [point for point, same_as in _done(store, sweep) if point.words is not None and not same_as]
    if not points:
        raise StoreError(f"Sweep '{sweep.id}' has no finished checkpoint whose amount of training is known.")
    metric, policy = _right_or_wrong(sweep), Policy(**sweep.policy)
    tables = [metric.statistics(store.candidates(point.run_id), policy).set_index("item") for point in points]
    correct = pd.concat([table["correct"] for table in tables], axis=1, keys=range(len(points))).dropna()
    right = correct.to_numpy() == 1
    first = len(points) - np.cumprod(right[:, ::-1], axis=1).sum(axis=1)
    names = [*(point.name for point in points), None]
    words = [*(float(point.words or 0) for point in points), math.inf]
    groups = tables[0][TASKS[sweep.task].groups[0]]
    return pd.DataFrame(
        {
            "item": correct.index,
            "group": groups.loc[correct.index].to_numpy(),
            "checkpoint": [names[position] for position in first],
            "words": [words[position] for position in first],
            "n_right": right.sum(axis=1),
            "n": len(points),
        }
    )


def acquisition_order(store: Store, sweep: Sweep) -> pd.DataFrame:
    """One row per paradigm `group`, the one learnt first on top: median `words`, `n_items`, the share `learnt` at
    all.

    The median is NaN if half or more are never learnt.
    """
    items = acquisition(store, sweep)
    by_group = items.assign(learnt=np.isfinite(items["words"])).groupby("group", sort=False)
    table = by_group.agg(words=("words", "median"), n_items=("item", "size"), learnt=("learnt", "mean"))
    table["words"] = table["words"].where(np.isfinite(table["words"]))
    order = table.sort_values(["words", "learnt"], ascending=[True, False], kind="stable")
    return order.reset_index()


def _done(store: Store, sweep: Sweep) -> Iterator[tuple[Point, str]]:
    """Each finished point whose run still exists, and the name of the earlier point with the same run, if any."""
    first: dict[str, str] = {}
    for point in sweep.points:
        if point.state == DONE and store.has_finished(point.run_id):
            yield point, first.get(point.run_id, "")
            first.setdefault(point.run_id, point.name)


def _about(point: Point, same_as: str) -> dict[str, Any]:
    words = math.nan if point.words is None else float(point.words)
    return {"checkpoint": point.name, "words": words, "unit": point.unit, "run_id": point.run_id, "same_as": same_as}


def _right_or_wrong(sweep: Sweep) -> Metric:
    task = TASKS[sweep.task]
    metric = deciding_metric(task, sweep.rule)
    if metric is None:
        raise StoreError(f"{task.title} has no right and wrong items: there is no order in which they are learnt.")
    return metric

"""Stores beside one another: the same scores, each once, and the same runs."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pairlens import measures
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.result import read
from pairlens.store import Store
from pairlens.store.parts import all_parts

ROUNDING = 1e-5
"""By how many nats the neighbours of a text in a batch move its sum at most: about 4e-6 was seen."""


def rows_of(store: Store) -> dict[str, dict[str, float]]:
    """The sum of every stored request by fingerprint and key; fails where two parts hold the same one."""
    found = {}
    for fingerprint in store.fingerprints():
        tables = [pq.read_table(part.file("scores")) for part in all_parts(store.folder / "scores" / fingerprint)]
        rows = [row for table in tables for row in table.to_pylist()]
        found[fingerprint] = {row["request_key"]: row["logprob"] for row in rows}
        assert len(found[fingerprint]) == len(rows), "a request is stored twice"
    return found


def undisturbed(cells, folder: Path) -> Store:
    """The store of the same cells, run one after the other without a plan."""
    store = Store(folder, shipped=None)
    for cell in cells:
        for _ in evaluate(cell.task, cell.data, cell.recipe, store, rule=cell.rule):
            pass
    return store


def assert_equal(store: Store, other: Store) -> None:
    """Same keys, sums within the stated tolerance, same runs with the same numbers."""
    ours, theirs = rows_of(store), rows_of(other)
    assert {name: rows.keys() for name, rows in ours.items()} == {name: rows.keys() for name, rows in theirs.items()}
    for name, rows in ours.items():
        assert rows == pytest.approx(theirs[name], abs=1e-4)
    ids = sorted(store.runs()["run_id"])
    assert ids == sorted(other.runs()["run_id"])
    for run_id in ids:
        numbers, others = store.metrics(run_id), other.metrics(run_id)
        same = numbers.drop(columns="undecided").compare(others.drop(columns="undecided"))
        assert same.empty, f"{run_id}: {same}"
        doubtful = on_the_bound(store, run_id)
        assert (numbers["undecided"] - others["undecided"]).abs().max() <= doubtful, run_id


def on_the_bound(store: Store, run_id: str) -> int:
    """Items whose margin lies so near the bound of what is undecided that rounding moves it to either side."""
    margins = measures.nats(read(store, run_id).items["margin"].abs())
    return int((abs(margins - measures.PRECISION) <= ROUNDING).sum())


def count(store: Store) -> int:
    return sum(len([*(store.folder / "scores" / name).glob("[!.]*.json")]) for name in store.fingerprints())

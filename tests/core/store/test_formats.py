"""A store of another format is refused with a sentence that says what to do, and nothing in it is changed."""

import json
import os
from collections.abc import Callable

import pandas as pd
import pytest

from pairlens.errors import StoreError
from pairlens.store import files, sweeps
from pairlens.store.compaction import compact
from pairlens.store.files import read_json, write_json
from pairlens.store.maintenance import verify
from pairlens.store.removal import collect_garbage, delete
from tests.refusals import refused
from tests.scored import FINGERPRINT, row, scored, scores

ONE = scores(-1.0)
WHERE = {
    "part": "scores/*/*.json",
    "run": "runs/r-1/manifest.json",
    "deleted run": "runs/.deleted/*/r-1/manifest.json",
    "sweep": "sweeps/s.json",
}
SWEEP = sweeps.Sweep("s", "m", "blimp", "", "d", "h", "causal", {}, "2026")


@pytest.fixture
def store(store, monkeypatch, limit):
    """A store with two parts, two runs and a sweep, in which everything is old enough to be deleted."""
    monkeypatch.setattr(files, "_sync", lambda path: None)
    limit("gc_days", 0)
    store.add(FINGERPRINT, scored(a=ONE, b=ONE), {"model": "m"})
    store.add(FINGERPRINT, scored(c=ONE), {"model": "m"})
    for run_id in ("r-1", "r-2"):
        run = {"run_id": run_id, "state": "done", "pid": os.getpid(), "created": "2026"}
        store.begin(run, [*map(row, "abc")])
        store.update(run, pd.DataFrame({"name": ["accuracy"]}))
    sweeps.write(store, SWEEP)
    return store


def contents(store):
    return {path: path.read_bytes() for path in store.folder.rglob("*.*") if path.suffix in (".json", ".parquet")}


def of_first_version(store):
    """Make it one of format 1, which had neither seals nor the sha256 of a run's tables."""
    for path in store.folder.rglob("*.json"):
        about = {**(read_json(path) or {}), "format": 1}
        if path.name == "manifest.json":
            about.pop("sha256")
        path.write_text(json.dumps(about))


def test_an_older_store_is_refused_and_stays_as_it_is(store, cli):
    of_first_version(store)
    before = contents(store)
    attempts: list[Callable[[], object]] = [
        store.runs,
        lambda: store.scores(FINGERPRINT),
        lambda: store.add(FINGERPRINT, scored(a=ONE), {}) and store.scores(FINGERPRINT),
        lambda: store.manifest("r-1"),
        lambda: store.begin({"run_id": "r-1", "state": "running"}, ()),
        lambda: delete(store, "r-1"),
        lambda: sweeps.write(store, SWEEP),
        lambda: list(compact(store)),
        lambda: collect_garbage(store),
        lambda: verify(store),
    ]
    for attempt in attempts:
        with pytest.raises(StoreError, match=r"has format 1, .* reads 2: set PAIRLENS_HOME to another folder"):
            attempt()
        assert {path: path.read_bytes() for path in before} == before
    for verb in ("verify", "compact", "gc", "space"):
        refused(cli("store", verb))
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("where", WHERE)
def test_a_newer_store_with_other_fields_stays_as_it_is(store, where):
    """Two versions of Pairlens on one home: the older one leaves what it does not understand."""
    if where == "deleted run":
        delete(store, "r-1")
    path = next(store.folder.glob(WHERE[where]))
    newer = {name: value for name, value in (read_json(path) or {}).items() if name not in ("sha256", "id")}
    write_json(path, {**newer, "format": 99})
    before = contents(store)
    attempts: dict[str, list[Callable[[], object]]] = {
        "part": [lambda: store.scores(FINGERPRINT), lambda: (collect_garbage(store), verify(store))],
        "run": [store.runs, lambda: store.begin({"run_id": "r-1", "state": "running"}, ())],
        "deleted run": [lambda: collect_garbage(store)],
        "sweep": [lambda: sweeps.write(store, SWEEP)],
    }
    for attempt in attempts[where]:
        with pytest.raises(StoreError, match=r"format 99.*update Pairlens"):
            attempt()
    assert {path: path.read_bytes() for path in before} == before

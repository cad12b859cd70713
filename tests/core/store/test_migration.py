"""Bringing a store up to date, tried with an invented older format: what would be done, what is done, kills."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from core.cli import main
from core.errors import StoreError
from core.settings import program, settings
from core.store import Store, files, migration, sweeps
from core.store.deleted import delete
from core.store.files import read_json, write_json
from core.store.maintenance import verify
from core.store.migration import Contents, migrate, outdated
from core.store.parts import Scored
from core.store.removal import collect_garbage
from core.store.runs import ItemRow
from core.types import TokenScores

FINGERPRINT = "f" * 64


def from_zero(kind: str, contents: Contents) -> Contents:
    """The invented format 0 had its log-probabilities in bits and its labels in capitals, and sweeps a `name`."""
    about, tables = dict(contents.about), contents.tables
    if kind == "sweep":
        about["id"] = about.pop("name")
    elif kind == "run":
        labels = pc.utf8_lower(tables["items"]["label"])
        items = tables["items"]
        tables = {**tables, "items": items.set_column(items.column_names.index("label"), "label", labels)}
    else:
        tables = {name: _doubled(table) for name, table in tables.items()}
    return Contents(about, tables)


def _doubled(table: pa.Table) -> pa.Table:
    place = table.column_names.index("logprob")
    return table.set_column(place, table.schema.field(place), pc.multiply(table["logprob"], 2.0))


STEPS = {0: from_zero, **migration.STEPS}


def scored(*keys: str) -> list[Scored]:
    return [Scored(key, TokenScores(("a",), (1,), (-1.0,), ((0, 1),)), (0,)) for key in keys]


@pytest.fixture
def store(home: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of format 0."""
    monkeypatch.setattr(files, "_sync", lambda path: None)
    store = Store(shipped=None)
    store.add(FINGERPRINT, scored("a", "b"), {"model": "m"})
    store.add(FINGERPRINT, scored("c"), {"model": "m"})
    for run_id in ("r-1", "r-2"):
        run = {"run_id": run_id, "state": "done", "pid": os.getpid(), "created": "2026"}
        rows = [ItemRow(key, 0, "GOOD", "good", 0, 1.0, "", "t", {"U": "u"}, FINGERPRINT, key) for key in "abc"]
        store.begin(run, rows)
        store.update(run, pd.DataFrame({"name": ["accuracy"]}))
        (home / "store" / "runs" / run_id / "remarks.json").write_text('{"tags": ["mine"]}')
    for path in [*store.folder.glob("scores/*/*.json"), *store.folder.glob("runs/*/manifest.json")]:
        write_json(path, {**read_json(path), "format": 0})
    write_json(home / "store" / "sweeps" / "s.json", {"format": 0, "name": "s"})
    return store


def check(store: Store) -> None:
    """That it holds what format 0 held, in the present way."""
    assert outdated(store) == []
    assert store.scores(FINGERPRINT).set_index("request_key")["logprob"].to_dict() == dict.fromkeys("abc", -2.0)
    assert {one.logprobs for one in store.token_scores(FINGERPRINT, "abc").values()} == {(-2.0,)}
    assert sorted(store.runs()["run_id"]) == ["r-1", "r-2"]
    for run_id in ("r-1", "r-2"):
        assert set(store.items(run_id)["label"]) == {"good"}
        assert store.metrics(run_id)["name"].tolist() == ["accuracy"]
        assert read_json(store.folder / "runs" / run_id / "remarks.json") == {"tags": ["mine"]}
    assert read_json(store.folder / "sweeps" / "s.json") == {"format": 2, "id": "s"}
    assert not list(store.folder.glob("runs/.*[!k]"))


def test_an_old_store_is_refused_with_the_command_that_mends_it(store: Store, capsys: pytest.CaptureFixture) -> None:
    for read in (store.runs, lambda: store.scores(FINGERPRINT), lambda: store.manifest("r-1")):
        with pytest.raises(StoreError, match=rf"format 0, .* reads 2: .*{program()} store migrate"):
            read()
    assert main(["store", "verify"]) == 2
    assert "store migrate" in capsys.readouterr().err


def test_what_would_be_done_is_said_and_not_done(store: Store, capsys: pytest.CaptureFixture) -> None:
    before = {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()}
    assert main(["store", "migrate", "--dry-run"]) == 0
    assert capsys.readouterr().out == "to be brought to format 2: 2 parts, 2 runs, 1 sweep.\n"
    assert {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()} == before


def test_a_store_is_brought_up_to_date(store: Store) -> None:
    assert [one.kind for one in migrate(store, STEPS)] == ["part", "part", "run", "run", "sweep"]
    check(store)
    assert list(migrate(store, STEPS)) == []


def test_without_a_step_it_is_refused_untouched(store: Store, capsys: pytest.CaptureFixture) -> None:
    assert main(["store", "migrate"]) == 2
    assert "format 0" in capsys.readouterr().err
    assert len(outdated(store)) == 5


@pytest.mark.parametrize("where", ["scores", "runs"])
def test_a_newer_store_is_refused(store: Store, where: str) -> None:
    list(migrate(store, STEPS))
    path = {"scores": store.parts(FINGERPRINT)[0].side, "runs": store.folder / "runs" / "r-1" / "manifest.json"}[
        where
    ]
    write_json(path, {**(read_json(path) or {}), "format": 99})
    for read in (store.runs if where == "runs" else lambda: store.scores(FINGERPRINT), lambda: outdated(store)):
        with pytest.raises(StoreError, match=r"format 99.*update Pairlens"):
            read()
    with pytest.raises(StoreError, match=r"format 99.*update Pairlens"):
        list(migrate(store, STEPS))


@pytest.mark.parametrize("where", ["part", "run", "deleted run", "sweep"])
def test_a_newer_store_with_other_fields_stays_as_it_is(store: Store, where: str, monkeypatch) -> None:
    """Two versions of Pairlens on one home: the older one leaves what it does not understand."""
    monkeypatch.setenv("PAIRLENS_GC_DAYS", "0")
    settings.cache_clear()
    list(migrate(store, STEPS))
    sweep = sweeps.Sweep("s", "m", "blimp", "", "d", "h", "causal", {}, "2026")
    if where == "deleted run":
        delete(store, "r-1")
    name = {"part": "scores/*/*.json", "run": "runs/r-1/manifest.json", "sweep": "sweeps/s.json"}
    [path, *_] = store.folder.glob(name.get(where, "runs/.deleted/*/r-1/manifest.json"))
    newer = {name: value for name, value in (read_json(path) or {}).items() if name not in ("sha256", "id")}
    write_json(path, {**newer, "format": 99})
    before = {path: path.read_bytes() for path in store.folder.rglob("*.*") if path.suffix in (".json", ".parquet")}
    attempts: dict[str, Callable[[], object]] = {
        "part": lambda: (collect_garbage(store), verify(store)),
        "run": lambda: store.begin({"run_id": "r-1", "state": "running"}, ()),
        "deleted run": lambda: collect_garbage(store),
        "sweep": lambda: sweeps.write(store, sweep),
    }
    for attempt in (attempts[where], lambda: list(migrate(store))):
        with pytest.raises(StoreError, match=r"format 99.*update Pairlens"):
            attempt()
        assert {path: path.read_bytes() for path in before} == before


def test_a_run_that_goes_on_is_not_touched(store: Store) -> None:
    path = store.folder / "runs" / "r-1" / "manifest.json"
    write_json(path, {**(read_json(path) or {}), "state": "running"})
    with pytest.raises(StoreError, match="'r-1' is still running"):
        list(migrate(store, STEPS))


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(1, 12))
def test_a_kill_at_any_moment_loses_nothing(store: Store, moment: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def killing(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == moment:
                raise KeyboardInterrupt
            return real(*args, **kwargs)

        return call

    with monkeypatch.context() as patched:
        for name in ("write_part", "write_json"):
            patched.setattr(migration, name, killing(getattr(migration, name)))
        for name in ("copytree", "rmtree"):
            patched.setattr(migration.shutil, name, killing(getattr(migration.shutil, name)))
        patched.setattr(Path, "rename", killing(Path.rename))
        with pytest.raises(KeyboardInterrupt):
            list(migrate(store, STEPS))
    list(migrate(store, STEPS))
    check(store)

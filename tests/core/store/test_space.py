"""What takes room in the store adds up to the files on the disk, and cleaning stays inside."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pairlens.store import Store
from pairlens.store.compaction import compact
from pairlens.store.maintenance import NO_RUN, space
from pairlens.store.removal import UNUSED, collect_garbage, size
from tests.scored import FINGERPRINT, row, scored, scores

PAST = time.time() - 3 * 86_400


@pytest.fixture
def store(store):
    for key in "abcd":
        store.add(FINGERPRINT, scored(**{key: scores(-1.0)}), {"model": "m"})
    for task, keys in (("blimp", "ab"), ("pairs", "bc")):
        run = {"run_id": task, "task": task, "model": "m", "fingerprint": FINGERPRINT, "state": "done"}
        store.begin(run, [*map(row, keys)])
    return store


def old(*paths):
    for path in paths:
        os.utime(path, (PAST, PAST))


def test_space_by_model_and_task_is_that_of_the_files_but_of_one_that_goes_meanwhile(store, monkeypatch, cli):
    """As the temporary files of runs do, which are renamed at any moment."""
    before, going = space(store).others["runs"], store.folder / "runs" / "x" / ".temporary"
    asked = Path.is_file

    def gone_when_asked(path):
        there = asked(path)
        if path == going:
            path.unlink()
        return there

    monkeypatch.setattr(Path, "is_file", gone_when_asked)
    going.parent.mkdir()
    going.write_text("half a manifest")
    assert space(store).others["runs"] == before
    used = space(store)
    parts = used.scores.set_index("task")["parts"].to_dict()
    assert parts == {"blimp": 1, "blimp, pairs": 1, "pairs": 1, NO_RUN: 1}
    assert used.total == size(store.folder)
    assert (used.small, used.unused) == (4, 0)
    list(compact(store))
    again = space(store)
    assert again.total == size(store.folder) - (store.folder / ".upkeep.lock").stat().st_size
    assert again.replaced == used.scores["bytes"].sum()
    status, out, _ = cli("store", "space")
    assert status == 0 and "blimp, pairs" in out


def test_what_cleaning_would_free_is_what_it_frees_and_files_of_killed_processes_go_when_they_are_old(store):
    folder = store.folder / "scores" / FINGERPRINT
    for name in (".4206649-abcdefgh.parquet", "f00.scores.parquet", "f00.tokens.parquet"):
        (folder / name).write_bytes(b"half of it")
    assert collect_garbage(store).leftovers == 0, "somebody may be writing"
    old(*folder.glob(".*.parquet"), *folder.glob("f00.*"))
    assert collect_garbage(store).leftovers == 3
    assert store.known(FINGERPRINT) == set("abcd")
    for part in store.parts(FINGERPRINT):
        old(part.side)
    used = space(store)
    assert used.unused > 0
    removed = collect_garbage(store)
    assert (removed.parts, removed.freed) == (1, used.unused)
    assert store.known(FINGERPRINT) == {"a", "b", "c"}


def test_runs_deleted_before_today_go_and_name_their_scores_until_then(store):
    days = {name: datetime.now(UTC).date() - timedelta(days=ago) for name, ago in (("blimp", 0), ("pairs", 1))}
    for name, day in days.items():
        aside = store.folder / "runs" / ".deleted" / day.isoformat() / name
        aside.parent.mkdir(parents=True)
        (store.folder / "runs" / name).rename(aside)
    for part in store.parts(FINGERPRINT):
        old(part.side)
    removed = collect_garbage(store)
    assert (removed.runs, removed.parts) == (1, 2)
    assert store.known(FINGERPRINT) == {"a", "b"}


def test_cleaning_never_leaves_the_store(store, tmp_path):
    outside = tmp_path / "outside"
    elsewhere = Store(outside, shipped=None)
    part = elsewhere.add("e" * 64, scored(x=scores(-1.0)), {})
    precious = outside / "precious.json"
    precious.write_text("{}")
    old(part.side, part.file("scores"), part.file("tokens"), precious)
    (store.folder / "scores" / ("e" * 64)).symlink_to(part.side.parent)
    deleted = store.folder / "runs" / ".deleted"
    deleted.mkdir()
    (deleted / "2000-01-01").symlink_to(outside)
    (deleted / "2000-01-02").mkdir()
    (deleted / "2000-01-02" / "r").symlink_to(outside)
    (store.folder / "scores" / FINGERPRINT / "link.parquet").symlink_to(precious)
    before = sorted(path for path in outside.rglob("*"))
    collect_garbage(store)
    assert sorted(path for path in outside.rglob("*")) == before
    assert not (deleted / "2000-01-02").exists()


def test_a_part_that_a_run_names_while_it_is_being_deleted_stays(store):
    """A cleaning was killed between setting a part aside and deleting it; meanwhile a run began."""
    keys = [pq.read_table(part.file("scores"))["request_key"].to_pylist() for part in store.parts(FINGERPRINT)]
    (part,) = (part for part, held in zip(store.parts(FINGERPRINT), keys, strict=True) if "d" in held)
    part.side.rename(part.side.with_suffix(UNUSED))
    assert store.known(FINGERPRINT) == set("abc")
    run = {"run_id": "late", "task": "pairs", "model": "m", "fingerprint": FINGERPRINT, "state": "done"}
    store.begin(run, [row("d")])
    collect_garbage(store)
    assert store.known(FINGERPRINT) == set("abcd")

"""Files that cannot be read now are not damaged; what is damaged is named and stops nobody else."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import duckdb
import pytest

from pairlens.errors import StoreError
from pairlens.evaluation.evaluate import recompute, stored_metrics
from pairlens.store import Store, catalog
from pairlens.store.files import read_json, read_or_set_aside, secret, write_json
from pairlens.store.maintenance import verify
from pairlens.store.removal import collect_garbage, delete
from pairlens.store.run_annotations import annotations_of, tag
from pairlens.store.store import changing_runs
from tests.refusals import error_of
from tests.run_of_pairs import run_of_pairs

pytestmark = pytest.mark.usefixtures("unpublished", "asked_here")


def test_a_file_that_cannot_be_opened_for_a_moment_is_not_damaged(store, monkeypatch, run_id):
    """No descriptor was free: tags, runs, sweeps and scores are as before when there are some again."""
    tag(store, run_id, ["paper"])
    (part,) = store.parts(str(store.runs()["fingerprint"][0]))
    manifest = store.table_path(run_id, "items").with_name("manifest.json")
    write_json(manifest, read_json(manifest) or {})  # not remembered yet
    refuse = Mock(side_effect=OSError(errno.EMFILE, "Too many open files"))
    with monkeypatch.context() as full:
        full.setattr(Path, "read_bytes", refuse)
        assert annotations_of(store, run_id).tags == ()
        assert store.runs().empty and not store.damaged_runs()
        for act in (lambda: store.finished(run_id), lambda: store.items(run_id), lambda: read_or_set_aside(manifest)):
            assert "cannot be read: Too many open files" in error_of(act, StoreError)
        assert "Too many open files" in error_of(lambda: tag(store, run_id, ["another"]), StoreError)
        full.setattr(Path, "open", refuse)
        os.utime(part.file("scores"))
        assert "Too many open files" in error_of(lambda: part.verified("scores"), StoreError)
    assert annotations_of(store, run_id).tags == ("paper",)
    assert list(store.runs()["run_id"]) == [run_id] and part.whole()


@pytest.mark.slow
def test_a_damaged_run_stops_neither_sql_nor_the_tables_of_the_others(store):
    damaged, other = run_of_pairs(store), run_of_pairs(store, 2.0)
    store.table_path(damaged, "items").write_bytes(b"PAR1")
    with duckdb.connect(str(catalog.build(store)), read_only=True) as tables:
        assert tables.sql("select distinct run_id from items").fetchall() == [(other,)]
    with pytest.raises(StoreError, match=f"{damaged}/items.parquet is damaged"):
        collect_garbage(store)


def test_numbers_that_cannot_be_stored_are_shown_and_damaged_newer_ones_named(store, monkeypatch, run_id):
    before = store.metrics(run_id)
    store.table_path(run_id, "metrics").write_bytes(b"PAR1")
    with monkeypatch.context() as patch:
        patch.setattr(Store, "update", Mock(side_effect=StoreError("metrics.parquet cannot be written.")))
        assert list(stored_metrics(store, run_id)["value"]) == list(before["value"])
    manifest = store.manifest(run_id)
    store.update({**manifest, "policy": {**manifest["policy"], "later": 1}})
    path = store.table_path(run_id, "metrics")
    path.write_bytes(b"PAR1")
    assert verify(store, recompute).runs == (path,)


@pytest.mark.parametrize("content", ["", "ab", "{key} 0123456789abcdef", "{flipped} {check}", "{key}\ufffd{check}"])
def test_a_damaged_secret_is_refused_in_one_sentence_and_one_of_an_older_version_read(tmp_path, content):
    key = secret(tmp_path)
    check = (tmp_path / ".secret").read_text().partition(" ")[2]
    flipped = ("0" if key[0] == "1" else "1") + key[1:]
    (tmp_path / ".secret").write_text(content.format(key=key, check=check, flipped=flipped))
    assert "secret is damaged: restore it" in error_of(lambda: secret(tmp_path), StoreError)
    (tmp_path / ".secret").write_text("0f" * 32)
    assert secret(tmp_path) == "0f" * 32


def test_a_run_waits_with_its_beginning_for_who_changes_runs(store):
    """Else it could be deleted, or another restored in its place, while it begins."""
    with ThreadPoolExecutor(1) as pool:
        with changing_runs(store):
            begun = pool.submit(run_of_pairs, store)
            with pytest.raises(TimeoutError):
                begun.result(0.5)
            assert store.runs().empty
        assert store.has_finished(begun.result())


@pytest.mark.parametrize("name", ["items", "metrics"])
def test_a_bit_that_flips_under_a_running_process_is_noticed(store, name, run_id):
    """The file's size, time and inode are those of when it was last checked."""
    path, before = store.table_path(run_id, name), store.table(run_id, name)
    content, state = bytearray(path.read_bytes()), path.stat()
    assert store.has_finished(run_id)
    for place in (8, len(content) // 2, len(content) - 9):
        flipped = content.copy()
        flipped[place] ^= 1
        path.write_bytes(flipped)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
        with pytest.raises(StoreError, match=f"{name}.parquet is damaged"):
            store.table(run_id, name)
    path.write_bytes(content)
    assert store.table(run_id, name).equals(before)


def test_on_an_empty_store_each_verb_says_so_and_writes_no_tables(home, cli):
    for verb, sentence in {
        "verify": "Nothing is stored here yet.", "compact": "There was nothing to merge.",
        "space": "Nothing is stored here yet.", "gc": "There was nothing to delete.",
    }.items():  # fmt: skip
        assert cli("store", verb) == (0, f"{sentence}\n", "")
    assert not [path for path in home.rglob("*") if path.is_file() and not path.name.endswith(".lock")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("manifest.json", "torn"), ("items.parquet", "other"), ("metrics.parquet", "empty"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_named_by_every_verb_and_never_a_fault(store, run_id, cli, file, damage, caplog):
    path = store.folder / "runs" / run_id / file
    path.write_bytes({"torn": path.read_bytes()[:-9], "other": b"x" * 100, "empty": b""}[damage])
    assert verify(store).runs == (path,)
    assert cli("store", "verify")[0] == 1
    store_verbs = (("store", verb) for verb in ("verify", "compact", "space", "gc"))
    for arguments in (*store_verbs, ("runs", "list"), ("query", "select * from runs")):
        caplog.clear()
        status, out, err = cli(*arguments)
        assert status in (0, 1, 2) and "unexpected" not in out + err + caplog.text, arguments
        assert str(path) in out + err + caplog.text or status == 0, arguments
    assert len(store.scores(store.fingerprints()[0])) == 8, "no score is lost"


@pytest.mark.slow
def test_a_deleted_run_whose_items_are_damaged_stops_nothing(store, run_id, cli):
    delete(store, run_id)
    next((store.folder / "runs" / ".deleted").glob("*/*/items.parquet")).write_bytes(b"")
    assert collect_garbage(store).runs == 0
    assert cli("store", "space")[0] == cli("store", "compact")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("lost", ["requests", "boundary", "sha256", "scores"])
def test_a_side_file_that_does_not_say_all_is_set_aside(store, run_id, cli, lost):
    (part,) = store.parts(store.fingerprints()[0])
    about = read_json(part.side) or {}
    (about["sha256"] if lost == "scores" else about).pop(lost)
    write_json(part.side, about)
    status, out, _ = cli("store", "verify")
    assert status == 1 and f"{part.name}.damaged" in out and "Damaged: 1 file." in out
    assert store.parts(store.fingerprints()[0]) == []

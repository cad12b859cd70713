"""A flipped bit in a file of the store changes no value: it is noticed, and what can be is restored."""

import os
import random
from itertools import count

import duckdb
import pytest

from pairlens.errors import StoreError
from pairlens.evaluation import result
from pairlens.evaluation.evaluate import recompute, stored_metrics
from pairlens.models import digests
from pairlens.settings import settings
from pairlens.store import catalog, jobs, sweeps
from pairlens.store.files import read_json, write_json
from pairlens.store.jobs import all_jobs
from pairlens.store.maintenance import damage, verify
from pairlens.store.removal import collect_garbage
from pairlens.store.run_annotations import Annotations, annotations_of, tag, write_note
from tests.run_of_pairs import run_of_pairs

pytestmark = pytest.mark.usefixtures("unpublished")
_times = count(10**18, 10**9)


def put(path, content):
    """Replace a file, with a time that it has not had before."""
    part = path.with_name(".part")
    part.write_bytes(content)
    os.utime(part, ns=(time := next(_times), time))
    part.replace(path)


def flipped(content, bit):
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def flips(path, bits=0):
    """Flip each bit of a file, or a sample, one after the other; at the end the file is as it was."""
    content = path.read_bytes()
    every = range(8 * len(content))
    for bit in random.Random(22).sample(every, bits) if bits else every:
        put(path, flipped(content, bit))
        yield
    put(path, content)


def differences(path, read, bits=0):
    """How many flips are not noticed and give another value than `read` gave before; StoreError is noticing."""
    before, found = read(), 0
    for _ in flips(path, bits):
        try:
            found += read() != before
        except StoreError:
            continue
    assert read() == before
    return found


def in_run(store, run_id, file):
    return store.folder / "runs" / run_id / file


EACH_BIT = pytest.mark.parametrize("bits", [400, pytest.param(0, marks=pytest.mark.soak, id="all")])


@pytest.mark.slow
@EACH_BIT
def test_no_bit_of_a_manifest_changes_a_value_or_is_passed_over(store, run_id, bits):
    def listed():
        if store.damaged_runs():
            raise StoreError("named")
        return store.runs()["manifest"].tolist()

    manifest = in_run(store, run_id, "manifest.json")
    assert differences(manifest, lambda: store.manifest(run_id), bits) == 0
    assert differences(manifest, listed, bits or 2_000) == 0


@pytest.mark.slow
@EACH_BIT
def test_no_bit_of_a_side_file_changes_a_value(store, run_id, bits):
    (fingerprint,) = store.fingerprints()
    (part,) = store.parts(fingerprint)
    for _ in flips(part.side, bits):
        assert [one.about for one in store.parts(fingerprint)] in ([], [part.about])
        part.side.with_suffix(".damaged").unlink(missing_ok=True)


@pytest.mark.slow
def test_no_bit_of_tags_and_note_changes_a_word(store, run_id):
    tag(store, run_id, ["paper", "été"])
    write_note(store, run_id, "Table 3.")
    before, path = annotations_of(store, run_id), in_run(store, run_id, "remarks.json")
    for _ in flips(path):
        assert annotations_of(store, run_id) in (before, Annotations(damaged=True))
        path.with_suffix(".damaged").unlink(missing_ok=True)
    assert annotations_of(store, run_id) == before


def test_lost_tags_are_said_until_there_are_new_ones(store, run_id, cli):
    path = in_run(store, run_id, "remarks.json")
    tag(store, run_id, ["paper"])
    put(path, path.read_bytes()[:-2])
    assert annotations_of(store, run_id) == Annotations(damaged=True)
    assert [run_id in sentence and "Tags and notes" in sentence for sentence in damage(store)] == [True]
    for verb in (("list",), ("show", run_id)):
        status, _, said = cli("runs", *verb)
        assert status == 0 and said.count("were damaged and are gone") == 1
    tag(store, run_id, ["again"])
    assert annotations_of(store, run_id) == Annotations(("again",))
    assert damage(store) == []


@pytest.mark.parametrize("lost", ["damaged", "missing"])
def test_numbers_are_made_again_when_they_are_read(store, run_id, lost):
    before, path = store.metrics(run_id), in_run(store, run_id, "metrics.parquet")
    content = path.read_bytes()
    if lost == "damaged":
        put(path, flipped(content, 500))
        with pytest.raises(StoreError, match="store verify computes it again"):
            store.metrics(run_id)
    else:
        path.unlink()
    assert stored_metrics(store, run_id).equals(before)
    assert path.read_bytes() == content
    assert result.read(store, run_id).metrics.equals(before)


def test_damaged_items_are_named_and_the_next_run_restores_them_and_a_damaged_manifest(store, run_id):
    tag(store, run_id, ["paper"])
    path, before = in_run(store, run_id, "items.parquet"), store.manifest(run_id)
    content = path.read_bytes()
    put(path, flipped(content, 999))
    assert not store.has_finished(run_id)
    for read in (store.items, store.candidates, store.fingerprints_of, lambda one: result.read(store, one)):
        with pytest.raises(StoreError, match="start the same run again"):
            read(run_id)
    assert run_of_pairs(store) == run_id
    assert path.read_bytes() == content
    assert store.manifest(run_id) == before
    assert annotations_of(store, run_id).tags == ("paper",)
    before, metrics = store.manifest(run_id), store.metrics(run_id)
    path = in_run(store, run_id, "manifest.json")
    put(path, flipped(path.read_bytes(), 888))
    assert run_of_pairs(store) == run_id
    times = ("created", "finished", "scored", "reused", "seconds")
    assert {**store.manifest(run_id), **{name: before[name] for name in times}} == before
    assert store.metrics(run_id).equals(metrics)


@pytest.mark.slow
def test_verify_names_each_damaged_file_and_restores_what_it_can(published, store, run_id, cli):
    other = run_of_pairs(store, margin=-1.0)
    assert verify(store, recompute).mended == ()
    metrics, tables = in_run(store, run_id, "metrics.parquet"), store.folder / "results.duckdb"
    items = in_run(store, other, "items.parquet")
    for path in (metrics, tables):
        put(path, flipped(path.read_bytes(), 4_000))
    status, said, _ = cli("store", "verify")
    assert (
        status == 1 and f"was damaged, made again: {metrics}" in said and f"was damaged, made again: {tables}" in said
    )
    assert "Damaged: 2 files." in said
    for path in (items, tables):
        put(path, flipped(path.read_bytes(), 4_000))
    status, said, _ = cli("store", "verify")
    assert status == 1 and f"{items} is damaged: start the same run again" in said
    assert f"was damaged, made again: {tables}" in said
    assert run_of_pairs(store, margin=-1.0) == other
    assert cli("store", "verify")[0] == 0
    with duckdb.connect(str(tables), read_only=True) as connection:
        assert connection.execute("select count(*) from runs").fetchall() == [(2,)]


def test_every_bit_of_the_tables_for_other_programs_is_checked(published, store, run_id):
    assert catalog.is_intact(store)
    for _ in flips(store.folder / "results.duckdb", 20):
        assert not catalog.is_intact(store)
    for _ in flips(store.folder / "results.json", 50):
        assert not catalog.is_intact(store) or read_json(store.folder / "results.json")
    assert catalog.is_intact(store)


def test_sweeps_and_jobs_that_are_damaged_are_set_aside_and_said(store, run_id):
    made = sweeps.Sweep("pairs-1", "m", "pairs", "joint", "typed", "d", "stated", {}, "2026")
    sweeps.write(store, made)
    record = {"title": "t", "arguments": ["score"], "state": "done", "created": 1.0}
    write_json(settings().jobs / "20260101-aaaaaa" / "job.json", record)
    for path in (store.folder / "sweeps" / "pairs-1.json", *settings().jobs.glob("*/job.json")):
        put(path, flipped(path.read_bytes(), 100))
    assert sweeps.sweeps(store) == [] and all_jobs() == [] and jobs.jobs() == []
    (sentence,) = damage(store)
    assert "pairs-1.damaged" in sentence and "job.damaged" in sentence
    assert sweeps.write(store, made) == made


@pytest.mark.slow
def test_no_bit_of_a_remembered_digest_gives_another(home, tmp_path):
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"weights")
    os.utime(file, (1, 1))
    right = digests.of_file(file)
    (memory,) = (settings().cache / "digests").iterdir()
    content = memory.read_bytes()
    file.with_name("other").write_bytes(b"others")
    os.utime(file.with_name("other"), (1, 1))
    digests.of_file(file.with_name("other"))
    (others,) = {*memory.parent.iterdir()} - {memory}
    for wrong in (*(flipped(content, bit) for bit in range(8 * len(content))), others.read_bytes(), b"", b"0" * 64):
        memory.write_bytes(wrong)
        assert digests.of_file(file) == right
        assert memory.read_bytes() == content


def test_cleaning_takes_what_killed_processes_left(store, run_id, home):
    gone, here = 2**22 + 12345, os.getpid()
    left = [home / name for name in (
        f"store/runs/{run_id}/.{gone}-abcd_123.parquet", f".secret-{gone}", f"uploads/x/.{gone}-abcdefgh.csv",
        f"jobs/.{gone}-abcdefgh.json", f"cache/digests/.{gone}-1", "store/.results.duckdb.new",
        "store/sweeps/s.damaged", f"store/runs/{run_id}/other.damaged",
    )]  # fmt: skip
    names = (f".{here}-abcdefgh.csv", ".2024-notes.csv.txt", "old.csv")
    kept = [*(home / "uploads" / "x" / name for name in names), home / f"store/runs/{run_id}/remarks.damaged"]
    for path in (*left, *kept, new := home / f"jobs/.{gone}-abcdefgh"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
        os.utime(path, None if path == new else (1, 1))
    removed = collect_garbage(store)
    assert removed.leftovers == len(left)
    assert [path for path in left if path.exists()] == []
    assert all(path.exists() for path in (*kept, new))

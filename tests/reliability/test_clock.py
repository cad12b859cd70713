"""The clock jumps: a day or a year ahead, an hour back, to 1970. Nothing is lost, nothing counts out of order."""

import datetime as real
import hashlib
import os
import time

import pytest

from pairlens.models import digests
from pairlens.scoring import recipe
from pairlens.store import jobs, removal, uploads
from pairlens.store.compaction import compact
from pairlens.store.files import replacing
from pairlens.store.jobs import all_jobs
from pairlens.store.maintenance import verify
from pairlens.store.removal import collect_garbage
from tests.run_of_pairs import run_of_pairs
from tests.scored import scored, scores

JUMPS = {
    "a day ahead": 86_400.0,
    "a year ahead": 365 * 86_400.0,
    "an hour back": -3_600.0,
    "a day back": -86_400.0,
    "to 1970": -time.time() + 100.0,
}


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.soak] * ("a day" in name)) for name in JUMPS])
def jump(request, monkeypatch):
    """Call it, and the clock jumps."""
    usual, seconds = time.time, JUMPS[request.param]

    class Later(real.datetime):
        @classmethod
        def now(cls, tz=None):
            return real.datetime.fromtimestamp(time.time(), tz)

    def jump():
        monkeypatch.setattr(time, "time", lambda: usual() + seconds)
        for module in (recipe, removal):
            monkeypatch.setattr(module, "datetime", Later)

    return jump


def test_a_run_again_is_the_same_run_and_keeps_its_scores(store, jump):
    first = run_of_pairs(store)
    before = store.candidates(first), store.metrics(first)
    jump()
    assert run_of_pairs(store) == first and len(store.runs()) == 1
    assert store.metrics(first).equals(before[1])
    second = run_of_pairs(store, 2.0)
    for _ in range(2):
        list(compact(store))
        collect_garbage(store)
    assert store.candidates(first).equals(before[0]) and store.metrics(first).equals(before[1])
    assert store.candidates(second)["logprob"].notna().all()
    assert set(store.runs()["run_id"]) == {first, second}
    assert verify(store).damaged == ()


def test_scored_again_counts_before_what_was_scored_earlier(store, jump):
    store.add("f" * 64, scored(k=scores(-1.0)), {}, rescored=True)
    jump()
    for value in (-2.0, -3.0, -4.0):
        store.add("f" * 64, scored(k=scores(value)), {}, rescored=True)
        assert store.scores("f" * 64)["logprob"].tolist() == [value]


def test_what_was_deleted_can_be_restored(store, jump):
    run_id = run_of_pairs(store)
    before = store.candidates(run_id)
    removal.delete(store, run_id)
    jump()
    removal.restore(store, run_id)
    assert store.candidates(run_id).equals(before)
    removal.delete(store, run_id)
    collect_garbage(store)  # of the same day, whatever day the clock shows
    removal.restore(store, run_id)
    assert store.candidates(run_id).equals(before)


def test_a_writer_is_not_disturbed(store, jump):
    path = store.folder / "scores" / ("f" * 64) / "a.scores.parquet"
    with replacing(path) as temporary:
        temporary.write_text("being written")
        jump()
        collect_garbage(store)
        assert temporary.exists()
    assert path.read_text() == "being written"


def test_the_newest_job_is_the_last_one_that_was_started(home, jump, monkeypatch):
    monkeypatch.setattr(jobs, "_may_start", lambda *_: False)
    first, second = jobs.start(["--version"], "first"), jobs.start(["models"], "second")
    jump()
    third = jobs.start(["--version"], "third")
    assert [one.id for one in all_jobs()] == [third.id, second.id, first.id]
    assert [jobs.job(one.id).place for one in (first, second, third)] == [1, 2, 3]
    assert jobs.latest(["--version"]) == jobs.job(third.id)


def test_uploads_are_all_there(home, jump):
    uploads.keep([("a.csv", b"good,bad\na b,a c\n")])
    jump()
    uploads.keep([("b.csv", b"good,bad\na b,a d\n")])
    assert {one.name for one in uploads.kept()} == {"a.csv", "b.csv"}


def test_a_file_that_changes_has_another_digest(home, jump):
    path = home / "weights"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"one")
    first = digests.of_file(path)
    jump()
    assert digests.of_file(path) == first
    path.write_bytes(b"two")
    assert digests.of_file(path) != first


def test_what_was_just_read_is_read_again_only_if_it_may_have_changed(home, monkeypatch):
    path, reads, digest_of = home / "weights", [], hashlib.file_digest
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"one")
    monkeypatch.setattr(hashlib, "file_digest", lambda *arguments: reads.append(1) or digest_of(*arguments))
    hour, minutes = time.time() + 3600, time.monotonic() + 120
    monkeypatch.setattr(digests.time, "time", lambda: hour)  # the file is old
    first = digests.of_file(path)
    with digests.read_again():
        assert digests.of_file(path) == first and len(reads) == 1
        status = path.stat()
        path.write_bytes(b"two")
        while path.stat().st_ctime_ns == status.st_ctime_ns:  # within a tick of the kernel's clock
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))  # as if nothing had been written
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        assert digests.of_file(path) != first and len(reads) == 2
        monkeypatch.setattr(digests.time, "monotonic", lambda: minutes)
        digests.of_file(path)
        assert len(reads) == 3

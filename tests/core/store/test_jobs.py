"""Jobs: real child processes that run the real command line; and why a process ended that could not say so."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple

import psutil
import pytest

from pairlens.errors import JobError
from pairlens.settings import settings
from pairlens.store import jobs, processes
from pairlens.store.processes import alive, end, started_at, why_ended
from tests import forked
from tests.records import write
from tests.run_of_pairs import run_of_pairs

PATIENCE = 300


def ended(identifier):
    until = time.monotonic() + PATIENCE
    while not (job := jobs.job(identifier)).ended:
        assert time.monotonic() < until, f"waited {PATIENCE} s for {identifier} to end"
        time.sleep(0.05)
    return job


@pytest.fixture
def pairs(tmp_path):
    good, bad = "the horses are tired", "the horses is tired"
    rows = ({"sentence_good": f"{good} {n}", "sentence_bad": f"{bad} {n}"} for n in range(20))
    return write(tmp_path / "pairs.jsonl", *rows)


@pytest.fixture
def work(pairs, unigram, tmp_path):
    """A benchmark run that takes a moment; its process is forked."""
    with forked.children():
        yield ["zero-shot", "--data_path", str(pairs), "--model", unigram, "--output_dir", str(tmp_path / "out")]


@pytest.mark.slow
def test_a_job_ends_with_a_result(work, monkeypatch):
    monkeypatch.setattr(jobs, "subprocess", subprocess)  # a process as in daily use
    job = ended(jobs.start(work, "a run").id)
    assert (job.state, job.error, job.title) == ("done", "", "a run")
    assert job.result["run_id"].startswith("blimp-")
    assert job.done == job.total == 40


def test_training_holds_up_nothing_but_training(home, monkeypatch):
    monkeypatch.setattr(jobs, "_spawn", lambda one: jobs.update(one.id, state="running", pid=os.getpid()))
    verbs = ("train", "zero-shot", "train", "nli")
    started = [jobs.start([verb], verb).id for verb in verbs]
    assert [jobs.job(one).state for one in started] == ["running", "running", "queued", "queued"]
    jobs.update(started[0], state="done")
    jobs.jobs()
    assert [jobs.job(one).state for one in started] == ["done", "running", "running", "queued"]


@pytest.mark.slow
def test_a_user_mistake_becomes_one_sentence(work, pairs):
    pairs.write_text('{"sentence_good": "x"}')
    job = ended(jobs.start(work, "").id)
    assert job.state == "failed" and "sentence_bad" in job.error
    assert "Traceback" not in (job.folder / "output.log").read_text()


def long_ago(identifier, days=31):
    for file in (settings().jobs / identifier).iterdir():
        os.utime(file, (time.time() - days * 86_400,) * 2)


def record(name, verb, state, **more):
    """A job's folder as an earlier process has left it."""
    folder = settings().jobs / name
    folder.mkdir(parents=True)
    created = float(len(list(settings().jobs.iterdir())))
    write(folder / "job.json", {"title": name, "arguments": [verb], "state": state, "created": created, **more})
    return name


@pytest.mark.slow
def test_jobs_that_ended_long_ago_are_deleted_when_another_starts(work):
    gone = [record(f"{state}-1", "zero-shot", state) for state in ("done", "failed", "cancelled")]
    gone.append(record("lost-1", "zero-shot", "running", pid=2**22 + 1))
    kept = [
        record("waits", "zero-shot", "queued"),
        record("runs", "zero-shot", "running", pid=os.getpid()),
        record("only-one-of-its-verb", "train", "failed"),
        record("recent", "zero-shot", "done"),
    ]
    for name in [*gone, *kept[:3]]:
        long_ago(name)
    long_ago("recent", 29)
    last = jobs.start(work, "now")
    assert {job.id for job in jobs.jobs()} == {*kept, last.id}
    assert not any((settings().jobs / name).exists() for name in gone)
    jobs.cancel("waits")
    jobs.cancel(last.id)


@pytest.mark.slow
def test_one_at_a_time_in_the_order_of_asking_and_the_next_starts_by_itself_also_after_a_cancelled_one(work):
    running, *waiting = [jobs.start([*work, "--rescore"], str(number)) for number in range(4)]
    places = {one.id: (one.state, one.place) for one in jobs.jobs()}
    assert [places[one.id] for one in waiting] == [("queued", 1), ("queued", 2), ("queued", 3)]
    for one in (waiting[0], running, running):
        assert jobs.cancel(one.id).state == "cancelled"
    for one in waiting[1:]:
        assert ended(one.id).state == "done"


@pytest.mark.skipif(started_at(os.getpid()) is None, reason="the system does not say when a process began")
def test_a_later_process_of_the_same_number_is_not_the_job(home):
    """As after a restart: the number of a job that ended then is that of somebody else now, who is left alone."""
    assert jobs.jobs() == []
    with pytest.raises(JobError, match="There is no job 'x'"):
        jobs.job("x")
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        began = started_at(stranger.pid)
        same = record("same", "zero-shot", "running", pid=stranger.pid, began=began)
        other = record("other", "zero-shot", "running", pid=stranger.pid, began=began - 1)
        assert (jobs.job(same).state, jobs.job(other).state) == ("running", "lost")
        assert jobs.cancel(other).state == "lost"
        assert stranger.poll() is None
        assert jobs.cancel(same).state == "cancelled"
        assert stranger.poll() is not None


@pytest.mark.slow
def test_a_killed_job_is_lost_not_running_and_whoever_looks_starts_the_next(work):
    first, second = jobs.start(work, "1"), jobs.start(work, "2")
    os.kill(json.loads((first.folder / "job.json").read_text())["pid"], signal.SIGKILL)
    assert ended(second.id).state == "done"
    lost = jobs.job(first.id)
    assert lost.state == "lost" and "start it again" in lost.error


def test_what_is_no_process_or_killed_is_not_alive_though_its_parent_has_not_noticed():
    assert not any(map(alive, (0, -1, 1 << 70, "12", None)))
    with subprocess.Popen(["sh", "-c", "sleep 600 & echo $!; exec sleep 600"], stdout=subprocess.PIPE) as parent:
        child = int(parent.stdout.readline())
        assert alive(child)
        os.kill(child, signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while alive(child) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not alive(child)
        parent.kill()


KILLED = "kill -KILL $$"


def gone_after(program):
    """A child that has ended and been noticed by `alive`, as the pages notice a job's."""
    child = subprocess.Popen(["sh", "-c", program])
    while alive(child.pid):
        time.sleep(0.02)
    return child


def test_a_child_that_could_not_say_why_it_ended(tmp_path):
    for program, sentence in (
        (KILLED, "killed (signal 9), by somebody or for lack of memory; start it again"),
        ("kill -TERM $$", "ended from outside (signal 15)"),
        ("exit 3", "ended with exit status 3"),
    ):
        assert sentence in why_ended({"pid": gone_after(program).pid}, time.time(), tmp_path, "start it again")


def test_a_killed_job_says_so(home):
    job = jobs.job(record("killed", "score", "running", pid=gone_after(KILLED).pid, started=time.time()))
    assert job.state == "lost" and "killed (signal 9)" in job.error and "start it again" in job.error


@pytest.mark.skipif(sys.platform != "linux", reason="starts of processes are not known")
def test_another_process_with_a_recorded_id_is_left_alone(tmp_path):
    """Its own parent learns how it ended; what is said of the recorded one does not take over its signal."""
    child = subprocess.Popen(["sh", "-c", KILLED])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not alive(child.pid, 1)
    assert child.wait() == -signal.SIGKILL
    other = gone_after(KILLED).pid
    assert "signal 9" not in why_ended({"pid": other, "began": 1}, None, tmp_path / "gone", "start it again")


@pytest.mark.slow
def test_windows_asks_no_process_to_end(monkeypatch):
    """As far as it can be tried here."""
    monkeypatch.setattr(processes, "_WINDOWS", True)
    child = subprocess.Popen(["sh", "-c", "sleep 1000 & wait"], start_new_session=True)
    while not (grandchildren := psutil.Process(child.pid).children()):
        time.sleep(0.01)
    assert alive(child.pid)
    end(child.pid, 3.0, group=True)
    child.wait()
    assert not alive(child.pid)
    assert not psutil.wait_procs(grandchildren, timeout=60)[1]
    end(child.pid, 3.0)


@pytest.mark.slow
def test_a_run_says_what_is_known_of_its_end(store, monkeypatch):
    run_id = run_of_pairs(store)

    def error(**changes):
        store.update({**store.manifest(run_id), "state": "running", "pid": 2**22 + 12345, **changes})
        manifest = store.manifest(run_id)
        assert manifest["state"] == "cancelled"
        return str(manifest["error"])

    assert "by a kill, a shutdown or a lack of memory; run it again" in error()
    if sys.platform == "linux":
        assert "shut down or restarted while it ran; run it again" in error(created="2001-01-01T00:00:00+00:00")
        error(pid=os.getpid(), began=1)  # another process with the same id
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: usage(0))
    assert "is full now: make room, then run it again" in error()

"""Why a process ended that could not say so: what its parent saw, a full disk, a restart of the machine."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple

import psutil
import pytest

from pairlens.store import processes
from pairlens.store.processes import alive, end, why_ended
from tests.run_of_pairs import run_of_pairs

GONE = 2**22 + 12345
KILLED = "kill -KILL $$"


def ended(program):
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
        assert sentence in why_ended({"pid": ended(program).pid}, time.time(), tmp_path, "start it again")


@pytest.mark.skipif(sys.platform != "linux", reason="starts of processes are not known")
def test_another_process_with_a_recorded_id_is_left_alone(tmp_path):
    """Its own parent learns how it ended; what is said of the recorded one does not take over its signal."""
    child = subprocess.Popen(["sh", "-c", KILLED])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not alive(child.pid, 1)
    assert child.wait() == -signal.SIGKILL
    other = ended(KILLED).pid
    assert "signal 9" not in why_ended({"pid": other, "began": 1}, None, tmp_path / "gone", "start it again")


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


def test_a_run_says_what_is_known_of_its_end(store, monkeypatch):
    run_id = run_of_pairs(store)

    def error(**changes):
        store.update({**store.manifest(run_id), "state": "running", "pid": GONE, **changes})
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

"""A dashboard with its job and its SQL worker, and a command line beside it: all killed at random moments."""

import contextlib
import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from pairlens.settings import settings
from pairlens.store import Store, jobs
from pairlens.store.maintenance import verify
from pairlens.store.removal import collect_garbage
from tests.browser.dashboard import serve
from tests.reliability import test_store_at_work as at_work
from tests.reliability.session import Session

pytestmark = pytest.mark.model

SLOW_QUERY = "select sleep_ms(1000) from runs"
VICTIMS = ("server", "job", "worker", "command line")


def children(pid):
    """The processes that this one started and that still run."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    threads = listed.parent.parent.glob("*/children") if listed.exists() else ()
    return [int(child) for one in threads for child in one.read_text().split()]


def kill(pid):
    """SIGKILL; whether it still ran."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


@contextlib.contextmanager
def asking(address):
    """A visitor who asks in SQL again and again, until the server is gone or the block ends."""
    ended, tracebacks = threading.Event(), list[str]()

    def ask():
        with contextlib.suppress(ConnectionClosed, OSError, TimeoutError), Session(address, patience=30) as visitor:
            while not ended.is_set():
                visitor.open("results", view="sql", query=SLOW_QUERY)
                tracebacks.extend(visitor.exceptions)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    assert not tracebacks, tracebacks[0]


def start_job(address, data, model):
    """Press Run on the page Benchmarks."""
    with Session(address) as visitor:
        visitor.open("zero_shot", task="pairs", data="Path", path=str(data), model_name=model, model=model)
        with contextlib.suppress(LookupError):  # it has been run already, or is being run
            visitor.press("Run")
        assert not visitor.exceptions


def round_of_kills(home, files, model, output, chance):
    """Everything at work, then killed one after the other in random order. Returns what was still there to kill."""
    killed = set()
    with serve(home, program="streamlit") as address:
        server = next(pid for pid in children(os.getpid()) if _command(pid).endswith(f"{address.rpartition(':')[2]}"))
        with asking(address):
            writer = at_work.score(files[0], model, home, output)
            start_job(address, files[1], model)
            for victim in chance.sample(VICTIMS, len(VICTIMS)):
                time.sleep(chance.uniform(0.0, 0.8))
                running = [one for one in jobs.jobs() if one.state == "running"]
                worker = next((pid for pid in children(server) if "sandbox_worker" in _command(pid)), 0)
                job = jobs.record_of(running[0].id)["pid"] if running else 0
                pid = {"server": server, "job": job, "worker": worker, "command line": writer.pid}[victim]
                if pid and kill(pid):
                    killed.add(victim)
                    if victim == "job":
                        _says_so(running[0].id)
        writer.kill()
        writer.communicate()
    return killed


def _command(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ").strip()
    return ""


def _says_so(identifier):
    """A job whose process was killed is not called done; it says what happened and what to do."""
    end = time.monotonic() + at_work.SECONDS
    while not (one := jobs.job(identifier)).ended and time.monotonic() < end:
        time.sleep(0.05)
    assert one.state in ("lost", "done"), one
    assert one.state == "done" or (one.error and "\n" not in one.error)


def attack(home, tmp_path, model, kills, monkeypatch):
    """So many kills; then everything is run to its end and compared with what nobody disturbed."""
    for name, value in at_work.environment(home).items():
        monkeypatch.setenv(name, value)
    settings.cache_clear()
    files = [at_work.write_pairs(tmp_path / f"{first}.jsonl", first) for first in (0, at_work.PAIRS // 2)]
    store, known, chance, count = Store(shipped=None), set[str](), random.Random(22), 0
    while count < kills:
        count += len(round_of_kills(home, files, model, tmp_path / "out", chance))
        known = at_work.watch(store, known)
        assert verify(store).damaged == ()
    for file in files:
        said, _ = at_work.score(file, model, home, tmp_path / "out").communicate(timeout=at_work.SECONDS)
        scored, reused = (int(word.strip(",")) for word in said.split()[-3::2])
        assert scored + reused == 2 * at_work.PAIRS, said
    assert len(at_work.watch(store, known)) == at_work.PAIRS * 3

    monkeypatch.setenv("PAIRLENS_GC_DAYS", "0")
    settings.cache_clear()
    collect_garbage(store)
    temporary = [path for path in home.rglob(".*") if path.is_file() and path.name[1:2].isdigit()]
    assert not temporary, temporary
    undisturbed = at_work.undisturbed_store(files, model, home, tmp_path)
    more = {*store.runs()["run_id"]} ^ {*undisturbed.runs()["run_id"]}
    assert all(run_id.startswith("pairs-") for run_id in more), "only a job of the page may have made one more"
    at_work.assert_same_rows(store, undisturbed)


def test_a_kill(unigram, home, tmp_path, monkeypatch):
    attack(home, tmp_path, unigram, 1, monkeypatch)


@pytest.mark.soak
def test_two_hundred_kills(unigram, home, tmp_path, monkeypatch):
    attack(home, tmp_path, unigram, 200, monkeypatch)

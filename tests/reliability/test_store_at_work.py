"""A dashboard, two command lines that write runs, one that compacts and is killed, one that cleans: all at once."""

import json
import os
import random
import sys
import time
from contextlib import contextmanager
from subprocess import DEVNULL, PIPE, STDOUT

import pytest

from pairlens.store import Store
from pairlens.store.compaction import compact
from pairlens.store.maintenance import verify
from tests.forked import Popen

ROUNDS = int(os.environ.get("PAIRLENS_SOAK", "1"))
PAIRS = 400 if ROUNDS > 1 else 160
COMPACT = """
from pairlens.store import Store
from pairlens.store.compaction import compact
print("ready", flush=True)
while True:
    list(compact(Store(shipped=None)))
"""
CLEAN = COMPACT.replace("compaction import compact", "removal import collect_garbage").replace(
    "list(compact(Store(shipped=None)))", "collect_garbage(Store(shipped=None))"
)
DASHBOARD = """
from itertools import cycle
from streamlit.testing.v1 import AppTest
from pages.components.shared import frame
frame._let_the_app_run_first = lambda: None
for number, view in enumerate(cycle(("runs", "upkeep", "compare"))):
    page = AppTest.from_file("app.py", default_timeout=300).switch_page("pages/results.py")
    page.query_params["view"] = view
    assert not page.run().exception, (view, [one.value for one in page.exception])
    if not number:
        print("ready", flush=True)
"""
SECONDS = 300


def environment(home):
    return {
        **os.environ, "PAIRLENS_HOME": str(home), "PAIRLENS_CHUNK_REQUESTS": "40", "PAIRLENS_OFFLINE": "1",
        "PAIRLENS_REPLACED_MINUTES": "0.02",
    }  # fmt: skip


@contextmanager
def running(code, home):
    """A process that runs this code, once it is at work; it is killed in the end."""
    process = Popen([sys.executable, "-c", code], env=environment(home), stdout=PIPE, stderr=DEVNULL)
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def score(pairs, model, home, output):
    command = ["pairlens", "zero-shot", "--data_path", pairs, "--model", model, "--output_dir", output]
    return Popen([sys.executable, "-m", *command], env=environment(home), stdout=PIPE, stderr=STDOUT)


def write_pairs(path, first):
    """Pairs of which half are in both files."""
    drawn = random.Random(3)
    words = ["the", "cat", "horses", "are", "is", "tired", "."]
    lines = [
        json.dumps(
            {f"sentence_{kind}": f"{' '.join(drawn.choices(words, k=8))} {number}" for kind in ("good", "bad")}
        )
        for number in range(PAIRS * 2)
    ]
    path.write_text("\n".join(lines[first : first + PAIRS]))
    return path


def undisturbed_store(files, model, home, folder):
    """What comes of the same files where nothing else is at work."""
    other = folder / "other"
    (other / "models").mkdir(parents=True)
    (other / "models" / model).symlink_to(home / "models" / model)
    for file in files:
        said, _ = score(file, model, other, folder / "again").communicate(timeout=SECONDS)
        assert "reused" in said, said
    return Store(other / "store", shipped=None)


def assert_same_rows(store, undisturbed):
    """Every run of the undisturbed store is in the other, cell by cell."""
    for run_id in undisturbed.runs()["run_id"]:
        assert store.candidates(run_id).equals(undisturbed.candidates(run_id))
        assert store.metrics(run_id).equals(undisturbed.metrics(run_id))


def watch(store, known):
    """What a dashboard reads: nothing twice, and nothing that was there is gone. Returns what is known now."""
    for fingerprint in store.fingerprints():
        now = store.known(fingerprint)
        assert known <= now, f"{len(known - now)} texts are gone"
        assert store.scores(fingerprint)["request_key"].is_unique
        known = now
    for run_id in store.runs().query("state == 'done'")["run_id"]:
        assert store.candidates(run_id)["logprob"].notna().all()
    return known


@pytest.mark.soak
@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_nothing_is_lost_and_nothing_read_twice(unigram, home, tmp_path, round_number):
    files = [write_pairs(tmp_path / f"{name}.jsonl", first) for name, first in (("a", 0), ("b", PAIRS // 2))]
    store, known = Store(shipped=None), set[str]()
    drawn, kills = random.Random(round_number), 0
    with running(DASHBOARD, home) as dashboard, running(CLEAN, home):
        writers = [score(file, unigram, home, tmp_path / file.stem) for file in files]
        deadline = time.monotonic() + SECONDS
        while any(writer.poll() is None for writer in writers):
            with running(COMPACT, home) as tidying:
                until = time.monotonic() + drawn.uniform(0.3, 1.5)
                while time.monotonic() < until:
                    known = watch(store, known)
                tidying.kill()
                kills += 1
            assert time.monotonic() < deadline
        assert dashboard.poll() is None, "a page of the dashboard failed"
    assert all(writer.returncode == 0 for writer in writers), [writer.communicate()[0] for writer in writers]
    list(compact(store))
    assert len(watch(store, known)) == PAIRS * 3
    assert kills > 1
    assert verify(store).damaged == ()
    undisturbed = undisturbed_store(files, unigram, home, tmp_path)
    assert sorted(store.runs()["run_id"]) == sorted(undisturbed.runs()["run_id"])
    assert_same_rows(store, undisturbed)

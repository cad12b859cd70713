"""Backups made while runs are written and the store is tidied, or killed at any moment: whole, or not there."""

import os
import random
import shutil
import sys
import time

import pytest

from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.backup import backup, restore
from pairlens.store.maintenance import verify
from tests.forked import Popen
from tests.reliability.test_store_at_work import COMPACT, PAIRS, environment, running, score, write_pairs
from tests.thinned import thinned

ROUNDS = int(os.environ.get("PAIRLENS_SOAK", "1"))
TIDY = COMPACT.replace(
    "while True:", "import time\nfrom pairlens.store.removal import collect_garbage\nwhile True:"
) + ("    collect_garbage(Store(shipped=None))\n    time.sleep(0.3)\n")


def checked(file, home, monkeypatch):
    """Restore to a new home; every part is whole and every finished run has all its scores. Returns their number."""
    with monkeypatch.context() as patch:
        patch.setenv("PAIRLENS_HOME", str(home))
        settings.cache_clear()
        store = Store(shipped=None)
        restore(store, file)
        found = verify(store)
        done = store.runs().query("state == 'done'")["run_id"]
        assert not found.damaged and not {path.parent.name for path in found.runs} & {*done}
        for run_id in done:
            assert store.candidates(run_id)["logprob"].notna().all() and len(store.metrics(run_id))
    settings.cache_clear()
    return len(done)


@pytest.mark.parametrize("round_number", range(ROUNDS))
def test_backups_of_a_store_at_work(unigram, home, tmp_path, monkeypatch, round_number):
    counts = []
    with running(TIDY, home):
        for first in (0, PAIRS // 2):
            pairs = write_pairs(tmp_path / f"{first}.jsonl", first)
            writer = score(pairs, unigram, home, tmp_path / f"out{first}")
            ended = False
            while not ended:  # and once more afterwards, when the run is there
                ended, number = writer.poll() is not None, len(counts)
                backup(Store(shipped=None), tmp_path / f"{number}.zip")
                counts.append(checked(tmp_path / f"{number}.zip", tmp_path / f"new{number}", monkeypatch))
            assert writer.returncode == 0, writer.communicate()[0]
    assert len(counts) > 3 and counts == sorted(counts) and counts[-1] >= 2


@pytest.mark.parametrize("verb", thinned(["restore", "backup"], 2))
def test_killed_at_any_moment(verb, unigram, home, tmp_path, monkeypatch):
    assert score(write_pairs(tmp_path / "a.jsonl", 0), unigram, home, tmp_path / "out").wait() == 0
    whole = tmp_path / "whole.zip"
    backup(Store(shipped=None), whole)
    drawn, began = random.Random(1), time.monotonic()
    other = tmp_path / "other"
    file, place = (tmp_path / "new.zip", home) if verb == "backup" else (whole, other)
    seconds, kills = 0.0, 0
    for attempt in range(4 * ROUNDS):
        (tmp_path / "new.zip").unlink(missing_ok=True)
        shutil.rmtree(other, ignore_errors=True)
        process = Popen([sys.executable, "-m", "pairlens", "store", verb, file], env=environment(place))
        if not attempt:
            assert process.wait() == 0
            seconds = time.monotonic() - began
            continue
        time.sleep(drawn.uniform(0.3, 1.0) * seconds)
        if process.poll() is None:
            kills += 1
        else:
            seconds *= 0.7  # others slowed the first one down
        process.kill()
        process.wait()
        if file.exists():
            checked(file, tmp_path / f"new{attempt}", monkeypatch)
    assert kills
    if verb == "restore":
        assert checked(whole, other, monkeypatch) == 1

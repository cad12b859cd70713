"""A run that is killed at any moment and started again ends with the same rows as an undisturbed one."""

import os
import random
import subprocess
import sys
import time

import pytest

from pairlens.cli import main
from pairlens.models import resolve
from pairlens.places import FOLDER as ROOT
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.maintenance import verify
from pairlens.store.removal import collect_garbage
from tests.forked import Popen
from tests.reliability.test_store_at_work import PAIRS, assert_same_rows, score, undisturbed_store, write_pairs
from tests.thinned import thinned
from tests.tiny import tiny_model

KILLS = 2 * int(os.environ.get("PAIRLENS_SOAK", "1"))


def test_kill_nine_at_random_moments(unigram, home, tmp_path):
    pairs, output = write_pairs(tmp_path / "pairs.jsonl", 0), tmp_path / "out"
    undisturbed, killed = undisturbed_store([pairs], unigram, home, tmp_path), Store(shipped=None)
    chunks, chance = 2 * PAIRS // 40, random.Random(2)
    for last in sorted(chance.sample(range(1, chunks), KILLS)):
        process = score(pairs, unigram, home, output)
        while sum(map(len, map(killed.known, killed.fingerprints()))) < 40 * last and process.poll() is None:
            time.sleep(0.005)
        process.kill()
        process.communicate()
    *_, scored, _, reused = score(pairs, unigram, home, output).communicate()[0].replace(",", "").split()
    assert int(scored) + int(reused) == 2 * PAIRS and int(reused) > 0
    assert verify(killed).damaged == ()
    assert killed.runs()["run_id"].tolist() == undisturbed.runs()["run_id"].tolist()
    assert_same_rows(killed, undisturbed)


@pytest.mark.model
@pytest.mark.parametrize("moment", thinned(["config.json", "", "card.json"], 3))
def test_converting_killed_when_a_file_is_there(moment, home, tmp_path, monkeypatch):
    """No half model is found, the second attempt writes a whole one, and cleaning leaves nothing of the first."""
    import torch
    from safetensors.torch import load_file

    source = tiny_model(tmp_path / "pickled")
    torch.save(load_file(source / "model.safetensors"), source / "pytorch_model.bin")
    (source / "model.safetensors").unlink()
    # The process waits where it is to be killed, which it would pass too fast.
    waiting = "import shutil, sys, time; from pathlib import Path; from pairlens.models import conversion\n"
    waiting += "wait = lambda *_, **__: (print('now', flush=True), time.sleep(60))\n"
    where = {"": "_unpickle", "config.json": "_write_card", "card.json": "Path.rename"}[moment]
    waiting += f"conversion.{where} = wait\nconversion.convert(sys.argv[1])"
    environment = {**os.environ, "PAIRLENS_HOME": str(home)}
    killed = Popen([sys.executable, "-c", waiting, source], env=environment, stdout=subprocess.PIPE)
    assert killed.stdout.readline() == "now\n"
    killed.kill()
    killed.wait()
    [partial] = (home / "models").glob(".*")
    assert not moment or (partial / moment).exists()
    assert not (home / "models" / "pickled").exists()
    assert not {"pickled", partial.name} & {one.name for one in resolve.catalogue()}
    assert main(["models", "convert", str(source)]) == 0
    monkeypatch.setenv("PAIRLENS_GC_DAYS", "0")
    settings.cache_clear()
    collect_garbage(Store(shipped=None))
    assert {path.name for path in (home / "models").iterdir()} == {"pickled"}
    assert resolve.find("pickled").folder == home / "models" / "pickled"


def test_what_reads_pickles_ends_with_the_process_that_started_it(tmp_path):
    os.mkfifo(tmp_path / "waits")
    starts = "import sys; from pathlib import Path; from pairlens.models import conversion\n"
    starts += "run = conversion.subprocess.run\n"
    starts += "conversion.subprocess.run = lambda *_, capture_output, **how: print(flush=True) or run(*_, **how)\n"
    starts += "conversion._unpickle([Path(sys.argv[1])], Path('none'), 'waits')"
    command = [sys.executable, "-c", starts, str(tmp_path / "waits")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as starter:
        assert starter.stdout.read(1) == b"\n"
        with (tmp_path / "waits").open("wb"):  # the other end was opened: it reads, and gets nothing
            starter.kill()
            assert starter.stdout.read() == b"", "nobody holds the other end any more"

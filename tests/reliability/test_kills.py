"""A run that is killed at any moment and started again ends with the same rows as an undisturbed one."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.models import resolve
from core.settings import ROOT, settings
from core.store import Store
from core.store.maintenance import verify
from core.store.removal import collect_garbage
from tests.tiny import tiny_model

KILLS = 3


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.jsonl"
    words = ["the", "cat", "horses", "are", "is", "tired", "."]
    generator = random.Random(1)
    with path.open("w") as stream:
        for number in range(1000):
            good, bad = (" ".join(generator.choices(words, k=8)) + f" {number}" for _ in range(2))
            stream.write(json.dumps({"sentence_good": good, "sentence_bad": bad}) + "\n")
    return path


def start(pairs: Path, model: str, home: Path, output: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "core", "zero-shot", "--data_path", pairs, "--model", model, "--output_dir", output],
        cwd=ROOT,
        env={**os.environ, "PAIRLENS_HOME": str(home), "PAIRLENS_CHUNK_REQUESTS": "40"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_kill_nine_at_random_moments(pairs, unigram, home, tmp_path):
    other = tmp_path / "other"
    (other / "models").mkdir(parents=True)
    (other / "models" / unigram).symlink_to(home / "models" / unigram)
    began = time.monotonic()
    said, _ = start(pairs, unigram, other, tmp_path / "out").communicate(timeout=120)
    whole = time.monotonic() - began
    assert said.strip().endswith("scored 2000, reused 0"), said

    generator = random.Random(2)
    for _ in range(KILLS):
        process = start(pairs, unigram, home, tmp_path / "out")
        time.sleep(generator.uniform(0.3, 1.0) * whole)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    said, _ = start(pairs, unigram, home, tmp_path / "out").communicate(timeout=120)
    scored, reused = (int(word.strip(",")) for word in said.split()[-3::2])
    assert scored + reused == 2000, said
    assert reused > 0, "no kill came late enough to leave anything"

    killed, undisturbed = (Store(folder / "store", shipped=None) for folder in (home, other))
    assert verify(killed).damaged == ()
    run_id = undisturbed.runs()["run_id"][0]
    assert killed.runs()["run_id"].tolist() == [run_id]
    assert killed.candidates(run_id).equals(undisturbed.candidates(run_id))
    assert killed.metrics(run_id).equals(undisturbed.metrics(run_id))


@pytest.mark.model
@pytest.mark.parametrize("moment", ["", "config.json", "card.json"])
def test_converting_killed_when_a_file_is_there(moment, home, tmp_path, monkeypatch):
    """No half model is found, the second attempt writes a whole one, and cleaning leaves nothing of the first."""
    import torch
    from safetensors.torch import load_file

    source = tiny_model(tmp_path / "pickled")
    torch.save(load_file(source / "model.safetensors"), source / "pytorch_model.bin")
    (source / "model.safetensors").unlink()
    command = [sys.executable, "-m", "core", "models", "convert", source]
    # The process waits where it is to be killed, which it would pass too fast.
    waiting = "import shutil, sys, time; from pathlib import Path; from core.models import conversion\n"
    waiting += "wait = lambda *_, **__: (print('now', flush=True), time.sleep(60))\n"
    where = {"": "_unpickle", "config.json": "_write_card", "card.json": "Path.rename"}[moment]
    waiting += f"conversion.{where} = wait\nconversion.convert(sys.argv[1])"
    environment = {**os.environ, "PAIRLENS_HOME": str(home)}
    killed = subprocess.Popen(
        [sys.executable, "-c", waiting, source], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert killed.stdout.readline() == "now\n"
    killed.kill()
    killed.wait()
    [partial] = (home / "models").glob(".*")
    assert not moment or (partial / moment).exists()
    assert not (home / "models" / "pickled").exists()
    assert not {"pickled", partial.name} & {one.name for one in resolve.catalogue()}
    assert subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0
    monkeypatch.setenv("PAIRLENS_GC_DAYS", "0")
    settings.cache_clear()
    collect_garbage(Store(shipped=None))
    assert {path.name for path in (home / "models").iterdir()} == {"pickled"}
    assert resolve.find("pickled").folder == home / "models" / "pickled"


def test_what_reads_pickles_ends_with_the_process_that_started_it(tmp_path):
    os.mkfifo(tmp_path / "waits")
    starts = "import sys; from pathlib import Path; from core.models import conversion\n"
    starts += "run = conversion.subprocess.run\n"
    starts += "conversion.subprocess.run = lambda *_, capture_output, **how: print(flush=True) or run(*_, **how)\n"
    starts += "conversion._unpickle([Path(sys.argv[1])], Path('none'), 'waits')"
    command = [sys.executable, "-c", starts, str(tmp_path / "waits")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as starter:
        assert starter.stdout.read(1) == b"\n"
        with (tmp_path / "waits").open("wb"):  # the other end was opened: it reads, and gets nothing
            starter.kill()
            assert starter.stdout.read() == b"", "nobody holds the other end any more"

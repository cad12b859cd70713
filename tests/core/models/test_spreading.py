"""Models that are spread over devices: what is where, refused and left behind; their scores; memory at loading."""

import gc
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from pairlens.errors import ModelError
from pairlens.models import find, load, spreading
from pairlens.policies import PRESETS
from pairlens.scoring.recipe import recipe_of
from pairlens.settings import settings
from pairlens.store.removal import _delete, _of_killed
from pairlens.training.loop import ready_device
from pairlens.types import Extras, Request
from tests import forked
from tests.thinned import thinned
from tests.tiny import CAUSAL, MASKED, SENTENCES, SEQ2SEQ, tiny_model

pytestmark = pytest.mark.model

NOTHING, LITTLE = "0.00001", "0.1"
"""Megabytes in memory: everything stays on disk; some layers of a small model fit."""


@pytest.fixture
def spread(monkeypatch):
    """`spread("0.1")`: from now on weights are spread, with so many megabytes in memory."""

    def wanted(megabytes):
        monkeypatch.setenv("PAIRLENS_DEVICE", "spread")
        monkeypatch.setenv("PAIRLENS_SPREAD_MB", megabytes)
        settings.cache_clear()

    return wanted


def on_disk(module):
    return sum(weight.is_meta for weight in module.parameters())


def test_what_does_not_fit_stays_on_disk_and_devices_are_no_part_of_what_identifies_scores(tiny, spread):
    folder, half = str(tiny("llama")), PRESETS["pairlens"].but(dtype="bfloat16")
    usual = recipe_of(folder).fingerprint
    spread(LITTLE)
    network = load(find(tiny("t5")), "seq2seq")
    assert set(network.module.hf_device_map.values()) == {"cpu", "disk"}
    assert 0 < on_disk(network.module) < len([*network.module.parameters()])
    assert network.device == torch.device("cpu")
    spread(NOTHING)
    assert on_disk(module := load(find(tiny("t5")), "seq2seq").module) == len([*module.parameters()])
    assert not [*settings().cache.glob(".*")], "a folder that is not needed is gone at once"
    spread("0")
    module = load(find(tiny("t5")), "seq2seq").module
    assert not spreading.is_divided(module) and not on_disk(module), "what fits is undivided"
    spread(NOTHING)
    assert recipe_of(folder).fingerprint == usual != recipe_of(folder, policy=half).fingerprint
    weights = load(find(folder), "causal", "bfloat16").module.parameters()
    assert {weight.dtype for weight in weights} == {torch.bfloat16}


def test_a_file_that_changed_before_or_while_it_is_in_use_gives_no_scores(copy, spread):
    folder = copy("gpt2")
    spread(NOTHING)
    weights = folder / "model.safetensors"
    scorer = recipe_of(str(folder)).open()
    scorer.score([Request("", "The keys")])
    os.utime(weights, ns=(1, 1))
    with pytest.raises(ModelError, match="weight files were changed while they were in use"):
        scorer.score([Request("", "The cabinet")])
    model, content = find(folder), bytearray(weights.read_bytes())
    content[-9] ^= 1
    weights.write_bytes(content)
    with pytest.raises(ModelError, match="have changed since they were identified"):
        load(model, "causal")


def test_weights_in_another_layout_are_written_to_the_cache_and_deleted_with_the_network(tmp_path, spread, home):
    from transformers import MixtralConfig, MixtralForCausalLM

    folder = tiny_model(tmp_path / "experts", "llama")
    sizes = {name: json.loads((folder / "config.json").read_text())[name] for name in ("vocab_size", "hidden_size")}
    config = MixtralConfig(
        **sizes, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        num_local_experts=2,
    )  # fmt: skip
    MixtralForCausalLM(config).save_pretrained(folder)
    asked = [Request("", "The keys to the cabinet")]
    usual = recipe_of(str(folder)).open().score(asked)[0].logprobs
    spread(NOTHING)
    scorer = recipe_of(str(folder)).open()
    assert scorer.score(asked)[0].logprobs == pytest.approx(usual, abs=1e-5)
    assert [*settings().cache.glob(f".{os.getpid()}-*/*.safetensors")]
    assert not [*_of_killed(home)]
    del scorer
    gc.collect()
    assert not [*settings().cache.glob(".*")]
    left = home / "cache" / ".999999999-abcdefgh" / "layer.safetensors"
    left.parent.mkdir()
    left.touch()
    os.utime(left, (1, 1))
    assert _delete([*_of_killed(home)]).leftovers == 1 and not left.parent.exists(), "of a killed process"


def test_what_cannot_be_spread_is_refused_in_one_sentence(tiny, spread):
    spread(NOTHING)
    with pytest.raises(ModelError, match=r"uses weights outside of their layers.*: set PAIRLENS_DEVICE=cpu\.$"):
        recipe_of(str(tiny("deberta-v2"))).open()
    with pytest.raises(ModelError, match=r"stands on another model, which cannot be spread"):
        load(find("bilingual-entailment"), "classifier")
    with pytest.raises(ModelError, match="Training needs a whole model on one device"):
        ready_device()


# Scores

EVERYTHING = Extras(boundary=True, entropy=True, top=3, temperatures=(2.0,))
IN_NATS = ("logprobs", "boundary_logprobs", "entropies")
ASKED = [Request("", text) for text in SENTENCES[::4]] + [Request("The keys", " to the cabinet are on the table.")]
DISTINCT = [name for name in (*CAUSAL, *MASKED, *SEQ2SEQ) if name != "deberta-v2"]


def differ(scores, usual):
    """The largest difference in nats between two lists of scores, in all that is in nats."""
    pairs = [[getattr(score, name) for score in both] for both in zip(scores, usual, strict=True) for name in IN_NATS]
    known = [np.subtract(*pair, dtype=float) for pair in pairs if None not in pair]
    return max(float(np.nanmax(np.abs(one), initial=0)) for one in known)


@pytest.mark.parametrize(
    ("architecture", "megabytes", "dtype"),
    [
        *thinned(((name, (NOTHING, LITTLE)[place % 2], "float32") for place, name in enumerate(DISTINCT)), 3),
        *thinned((("gpt2", NOTHING, "bfloat16"), ("bert", LITTLE, "bfloat16"), ("t5", LITTLE, "bfloat16")), 3),
    ],
)
def test_scores_do_not_depend_on_where_weights_are(tiny, spread, architecture, megabytes, dtype):
    recipe = recipe_of(str(tiny(architecture)), policy=PRESETS["pairlens"].but(dtype=dtype))
    usual = recipe.open().score(ASKED, EVERYTHING)
    spread(megabytes)
    assert differ(recipe.open().score(ASKED, EVERYTHING), usual) <= (5e-5 if dtype == "float32" else 0.1)


def test_those_of_classifiers_do_not_either_and_threads_take_no_weights_away_from_each_other(tiny, spread):
    recipe = recipe_of(str(tiny("bert", labels=("entailment", "neutral", "contradiction"))))
    asked = [Request("The keys are here.\nA key is here.\n", "entailment")]
    usual = recipe.open().score(asked)
    spread(NOTHING)
    assert differ(recipe.open().score(asked), usual) <= 5e-5
    scorer = recipe_of(str(tiny("gpt2"))).open()
    usual = [scorer.score([one]) for one in ASKED]
    with ThreadPoolExecutor(4) as pool:
        for scores, one in zip(pool.map(lambda one: scorer.score([one]), ASKED), usual, strict=True):
            assert differ(scores, one) <= 5e-5


# Memory

MEASURED = """
import gc, sys, threading
from pairlens.models import find, load
from tests.memory import forget_peak, resident
anonymous, ended = [], threading.Event()
def watch():
    while not ended.wait(0.002):
        anonymous.append(resident("RssAnon"))
load(find("english-small"), "causal", trainable=True)  # imports what loading needs
threading.Thread(target=watch).start()
for dtype in ("float32", "bfloat16"):
    gc.collect()
    forget_peak()  # what is freed but still ours would be taken again, and not counted
    before = resident("VmRSS"), resident("RssAnon")
    anonymous.clear()
    network = load(find(sys.argv[1]), "causal", dtype)
    sum(float(weight.sum()) for weight in network.module.parameters())
    anonymous.append(resident("RssAnon"))  # the watching thread may never have had its turn
    held = sum(weight.nbytes for weight in network.module.parameters()) / (1 << 20)
    print(resident("VmHWM") - before[0], max(anonymous) - before[1], held)
    del network
ended.set()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_loading_takes_the_memory_of_the_weights_once(tmp_path):
    """Mapped pages of the file count in the first number; the kernel takes them back where memory is short."""
    folder = tiny_model(tmp_path / "wide", "gpt2", n_embd=512, n_layer=3)
    megabytes = (folder / "model.safetensors").stat().st_size / (1 << 20)
    program = [sys.executable, "-c", MEASURED, str(folder)]
    measured, _ = forked.Popen(program, env=os.environ, stdout=subprocess.PIPE).communicate()
    print(megabytes, measured)
    whole, anonymous, held, _, converted, half = (float(number) / megabytes for number in measured.split())
    assert whole < 1.5 and anonymous < 0.5 and held == pytest.approx(1, abs=0.02)
    assert 0.2 < converted < 0.9 and half == pytest.approx(0.5, abs=0.01), "some of it may be what was free already"

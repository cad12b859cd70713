"""How long one pair takes: typed into something that is open already, and from the start of a process."""

import math
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

import torch

from pairlens.places import FOLDER as ROOT
from tests.benchmarks import peers
from tests.benchmarks.cases import OURS
from tests.benchmarks.measuring import System, take_turns
from tests.benchmarks.opened import open_shape, ours
from tests.benchmarks.results import Line
from tests.benchmarks.shapes import SHAPES, checkpoint

_PAIR = ("The keys to the cabinet are here.", "The keys to the cabinet is here.")
_WARM_ROUNDS = 15
_COLD_ROUNDS = 3
_WARM = ("gpt2-small", "causal-small", "bert-base")
_BUNDLED = "english-small"
"""Of the family that scores without transformers."""

_COLD = {
    OURS: """
from pairlens.models import find, load
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS
from pairlens.types import Request
scorer = SCORERS["causal"].open(find({folder!r}), PRESETS["pairlens"])
print([scores.total for scores in scorer.score([Request("", text) for text in {pair!r}])])
""",
    "plain transformers": """
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
model, tokenizer = AutoModelForCausalLM.from_pretrained({folder!r}), AutoTokenizer.from_pretrained({folder!r})
for text in {pair!r}:
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text).input_ids]])
    with torch.no_grad():
        said = model(ids).logits.log_softmax(-1)
    print(said[0, :-1].gather(-1, ids[0, 1:, None]).sum().item())
""",
    "minicons": """
from minicons import scorer
model = scorer.IncrementalLMScorer({folder!r}, "cpu")
print(model.sequence_score(list({pair!r}), reduction=lambda values: values.sum(0).item(), bos_token=True))
""",
}
"""What each system runs in a process of its own."""


def lines(texts, scratch, threads):
    """One pair in an open model of each shape, and from nothing."""
    folders = {name: checkpoint(SHAPES[name], texts.all(20_000), scratch) for name in _WARM}
    return [
        *(line for name in _WARM for line in _warm(open_shape(SHAPES[name], folders[name], scratch))),
        *_cold("gpt2-small", folders["gpt2-small"], threads),
        *_cold(_BUNDLED, ROOT / "data" / "models" / _BUNDLED, threads),
    ]


def _warm(opened):
    systems = [System(OURS, ours(opened, _PAIR)), *peers.minicons(opened, _PAIR, "original")[1:2], _plain(opened)]
    systems = [system for system in systems if system.score]
    timings = take_turns(systems, _WARM_ROUNDS)
    own = timings[OURS].median
    return [
        Line(f"one pair, open, {opened.shape.name}", name, 2, timing.median, timing.median / own, math.nan,
             timing.peak_mib, timing.turns)
        for name, timing in timings.items()
    ]  # fmt: skip


def _plain(opened):
    """transformers alone: a text at a time, or all masked copies of one at once."""
    tokenizer = opened.tokenizer()

    @torch.no_grad()
    def score():
        return [_masked(text) if opened.shape.kind == "masked" else _causal(text) for text in _PAIR]

    def _causal(text):
        ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text).input_ids]])
        said = opened.module(ids).logits.log_softmax(-1)
        return float(said[0, :-1].gather(-1, ids[0, 1:, None]).sum())

    def _masked(text):
        ids = torch.tensor(tokenizer(text).input_ids)
        places = torch.arange(1, len(ids) - 1)
        rows = ids.repeat(len(places), 1)
        rows[torch.arange(len(places)), places] = tokenizer.mask_token_id
        said = opened.module(rows).logits[torch.arange(len(places)), places].log_softmax(-1)
        return float(said.gather(-1, ids[places, None]).sum())

    return System("plain transformers", score)


def _cold(model, folder, threads):
    seconds = {name: [] for name in _COLD}
    for _ in range(_COLD_ROUNDS):
        for name, program in _COLD.items():
            seconds[name].append(_process(program.format(folder=str(folder), pair=_PAIR), threads))
    own = median(seconds[OURS])
    return [
        Line(f"one pair, from nothing, {model}", name, 2, median(taken), median(taken) / own, math.nan, math.nan,
             f"{_COLD_ROUNDS} processes")
        for name, taken in seconds.items()
    ]  # fmt: skip


def _process(program, threads):
    with tempfile.TemporaryDirectory() as home:
        paths = os.pathsep.join(map(str, (ROOT, ROOT / "core")))
        more = {"PAIRLENS_HOME": home, "OMP_NUM_THREADS": str(threads), "PYTHONPATH": paths}
        start = time.perf_counter()
        run = [sys.executable, "-W", "ignore", "-c", program]
        subprocess.run(run, env={**os.environ, **more}, check=True, capture_output=True)
        return time.perf_counter() - start

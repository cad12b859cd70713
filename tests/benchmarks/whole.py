"""All 134,000 sentences of BLiMP at once: how long a model takes on each device and in each precision.

On a graphics card the same sentences are also scored in half precision and in padded rows that share nothing. Every
way is compared with single precision on the processor, over some of the pairs.
"""

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import torch

from pairlens.models import find
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS, default_for
from pairlens.settings import settings
from pairlens.types import Request
from tests.benchmarks.shapes import SHAPES, checkpoint
from tests.benchmarks.texts import flat
from tests.memory import forget_peak, resident

_FOR_TOKENIZER = 20_000
_COMPARED = 2_000
"""Pairs scored on the processor, too."""
_WAYS = {"cpu": [("float32", True)], "cuda": [("float32", True), ("float32", False), ("bfloat16", True)]}
"""By kind of device: the precision, and whether rows share their beginnings."""


def lines(texts, name):
    """A line for each way to score with a model, or with a shape (`tests.benchmarks.shapes`) with random weights."""
    with tempfile.TemporaryDirectory() as scratch:
        place = str(checkpoint(SHAPES[name], texts.all(_FOR_TOKENIZER), Path(scratch))) if name in SHAPES else name
        model = find(place)
        requests = [Request("", text) for pairs in texts.pairs.values() for text in flat(pairs)]
        step = max(1, len(requests) // 2 // _COMPARED)
        some = [one for pair in range(0, len(requests) // 2, step) for one in requests[2 * pair : 2 * pair + 2]]
        expected = ()
        if torch.cuda.is_available():
            expected = [score.total for score in _opened(model, "float32", "cpu").score(some)]
        yield f"{name}{' (random weights)' * (name in SHAPES)}, {len(requests):,} sentences"
        for precision, shares in _WAYS["cuda" if torch.cuda.is_available() else "cpu"]:
            yield _line(_opened(model, precision, "auto"), precision, shares, requests, some, expected)


def _opened(model, precision, device):
    os.environ["PAIRLENS_DEVICE"] = device
    settings.cache_clear()
    return SCORERS[default_for(model.kind)].open(model, replace(PRESETS["pairlens"], dtype=precision))


def _line(scorer, precision, shares, requests, some, expected):
    if not shares:
        scorer._batches._forward._together = 0
    scorer.score(requests[:2])
    forget_peak()
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()
    start = time.perf_counter()
    scores = scorer.score(requests)
    seconds = time.perf_counter() - start
    peak = torch.cuda.max_memory_allocated() / 2**20 if torch.cuda.is_available() else resident("VmHWM")
    right = sum(good.total > bad.total for good, bad in zip(scores[::2], scores[1::2], strict=True))
    about = ", ".join(f"{key} {value}" for key, value in scorer.about.items())
    said = (
        f"{precision}, {'shared beginnings' if shares else 'padded rows'}: {sum(len(one.ids) for one in scores):,} "
        f"tokens in {seconds:.1f} s, {len(scores) / seconds:,.0f} sentences per second, at most {peak:,.0f} MiB; "
        f"{about}; {right:,} of {len(scores) // 2:,} pairs right"
    )
    return f"{said}; {_beside(scorer.score(some), expected)}" if expected else said


def _beside(scores, expected):
    """How the scores of some pairs differ from those of the processor."""
    found = [score.total for score in scores]
    farthest = max(abs(one - other) for one, other in zip(found, expected, strict=True))
    decided = [one > other for one, other in zip(found[::2], found[1::2], strict=True)]
    usual = [one > other for one, other in zip(expected[::2], expected[1::2], strict=True)]
    differ = sum(one != other for one, other in zip(decided, usual, strict=True))
    apart = f"up to {farthest:.2g} nats apart"
    return f"of {len(decided):,} pairs {differ} decided otherwise than on the processor, {apart}"

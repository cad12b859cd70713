"""All 134,000 sentences of BLiMP at once: how long a model takes, on which device."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from core.models import find
from core.policies import PRESETS
from core.scorers import SCORERS, default_for
from core.types import Request
from tests.benchmarks.shapes import SHAPES, checkpoint
from tests.benchmarks.texts import Texts, flat

_FOR_TOKENIZER = 20_000


def line(texts: Texts, name: str) -> str:
    """One line about a model, or about a shape (`tests.benchmarks.shapes`) with random weights."""
    with tempfile.TemporaryDirectory() as scratch:
        random = name in SHAPES
        place = str(checkpoint(SHAPES[name], texts.all(_FOR_TOKENIZER), Path(scratch))) if random else name
        model = find(place)
        start = time.perf_counter()
        scorer = SCORERS[default_for(model.kind)].open(model, PRESETS["pairlens"])
        opened = time.perf_counter() - start
        requests = [Request("", text) for pairs in texts.pairs.values() for text in flat(pairs)]
        scorer.score(requests[:2])
        start = time.perf_counter()
        scores = scorer.score(requests)
        seconds = time.perf_counter() - start
        right = sum(good.total > bad.total for good, bad in zip(scores[::2], scores[1::2], strict=True))
    about = ", ".join(f"{key} {value}" for key, value in scorer.about.items())
    return (
        f"{name}{' (random weights)' * random}: {len(scores):,} sentences, {sum(len(one.ids) for one in scores):,} "
        f"tokens in {seconds:.1f} s, {len(scores) / seconds:,.0f} sentences per second, opened in {opened:.1f} s; "
        f"{about}; {right:,} of {len(scores) // 2:,} pairs right"
    )

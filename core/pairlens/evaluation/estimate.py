"""How long scoring will take: from finished runs on this machine, or a conservative first estimate."""

import json
import os
from dataclasses import dataclass

from pairlens.messages import Message
from pairlens.scoring.model_cache import weight_megabytes
from pairlens.scoring.recipe import Recipe
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.store.visitors import EVERYTHING

_MEGABYTES = 12.0
"""A model of this size scores at its scorer's `speed`."""
_ENOUGH = 1_000
"""In runs of fewer texts the start dominates."""
_START_SECONDS = 4.0
"""Starting a process and loading torch."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Seconds, and whether they are based on a run of the same model on this machine."""

    seconds: float
    measured: bool


def estimate(texts: int, recipe: Recipe, store: Store) -> Estimate:
    """How long scoring this many texts will take, by the largest finished run of the same weights and scorer."""
    manifests = (json.loads(text) for text in store.runs(EVERYTHING)["manifest"])
    here = [m for m in manifests if m["state"] == "done" and "arrived" not in m]
    same = [m for m in here if m["weights"] == recipe.model.weights and m["scorer"] == recipe.kind.name]
    timed = [(m["scored"], m["seconds"] / share()) for m in same if m["scored"] >= _ENOUGH]
    if timed:
        scored, seconds = max(timed)
        return Estimate(_START_SECONDS + texts * seconds / scored, True)
    slower = max(1.0, weight_megabytes(recipe.model) / _MEGABYTES)
    return Estimate(_START_SECONDS + texts * slower / recipe.kind.speed, False)


def share() -> float:
    """The part of this machine's processors that scoring takes in this process, 0 to 1."""
    there = os.cpu_count() or 1
    return min(settings().threads or there, there) / there


def duration_in_words(seconds: float) -> Message:
    """A duration as people say it: `3 s`, `40 s`, `9 minutes`, `2.5 hours`."""
    if seconds < 90:
        return Message("{n:.0f} s", n=max(seconds, 1))
    if seconds < 5400:
        return Message("{n:.0f} minutes", n=seconds / 60)
    return Message("{n:.1f} hours", n=seconds / 3600)

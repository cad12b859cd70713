"""Pairlens in a few calls, for notebooks and scripts:

    from core import api
    api.score(["The keys to the cabinet are here."], "english-small")       # a row per token
    api.benchmark("blimp/data", "english-small", task="blimp")              # a row per number

Models are named as everywhere: a catalogue name, a folder (`./folder`) or a hub id (`org/name@revision`). Choices
about scoring are a preset's name and fields of `core.policies.Policy`. Scores are stored: asking again is a look-up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from core.analysis.tokens import token_table
from core.models import find
from core.policies import PRESETS, Policy, preset, preset_for
from core.recipe import Recipe
from core.scorers import SCORERS, default_for, refuse_mismatch
from core.scoring import Progress
from core.store import Store
from core.zero_shot import Benchmark, task_named

__all__ = ["PRESETS", "benchmark", "recipe", "score"]


def recipe(model: str, scorer: str = "", policy: Policy = PRESETS["pairlens"], *, allow_code: str = "") -> Recipe:
    """A model (found, not loaded) with a scorer, by default that of its kind, and a policy.

    Raises ModelError or PolicyError, in one sentence, for what cannot be found or does not go together.
    """
    found = find(model, allow_code=allow_code)
    kind = SCORERS[scorer or default_for(found.kind)]
    refuse_mismatch(kind, found)
    return Recipe(found, kind, policy)


def score(
    texts: Sequence[str], model: str = "english-small", *, scorer: str = "", like: str = "pairlens", **choices: object
) -> pd.DataFrame:
    """The tokens of each text with their log-probabilities (nats) and surprisals (bits): `core.analysis.tokens`.

    `like` names a preset (minicons, babylm-2025, ...), `choices` are policy fields (`first_token="none"`).
    """
    table, _ = token_table(texts, recipe(model, scorer, preset(like).but(**choices)), Store(), watch=_finish)
    return table


def benchmark(
    path: str | Path,
    model: str = "english-small",
    *,
    task: str = "blimp",
    scorer: str = "",
    rule: str = "",
    like: str = "pairlens",
    **choices: object,
) -> pd.DataFrame:
    """Run a benchmark on a file or folder; every number with its counts and interval (`core.analysis.summary`).

    `rule` is one of the task's (`joint` compares whole texts where the usual one compares completions).
    """
    store, chosen = Store(), task_named(task)
    policy = preset_for(like, chosen.sets).but(**choices)
    last = _finish(Benchmark(chosen, Path(path), rule).run(recipe(model, scorer, policy), store))
    return store.metrics(last.run_id)


def _finish(steps: Iterable[Progress]) -> Progress:
    return deque(steps, maxlen=1)[0]

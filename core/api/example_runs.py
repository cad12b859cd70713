"""Two runs that anybody can make in seconds: our small BLiMP sample, by word counts and by a small language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from core.api import recipe
from core.runs import evaluate
from core.runs.requests import plan
from core.runs.zero_shot import sample
from core.scoring.recipe import Recipe
from core.store import Store
from core.tasks import TASKS
from core.types import Scorer

MODELS = ("unigram-english", "english-small")
_TASK = "blimp"


def make_examples(store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open) -> Iterator[str]:
    """Score what is missing and yield the id of each run when it is finished; `scorer` opens a recipe's."""
    task = TASKS[_TASK]
    path = sample(task)
    for name in MODELS:
        chosen = recipe(name)
        planned = plan(task, task.read(path), chosen)
        for _ in evaluate.run(planned, store, data=evaluate.data_name(path), scorer=partial(scorer, chosen)):
            continue
        yield planned.run_id

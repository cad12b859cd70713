"""Two example runs made in seconds: our small BLiMP sample, by word counts and by a small language model."""

from collections.abc import Callable, Iterator
from functools import partial

from core.api import recipe
from core.runs.evaluate import evaluate
from core.runs.zero_shot import sample
from core.scoring.recipe import Recipe
from core.store import Store
from core.tasks import TASKS
from core.types import Scorer

MODELS = ("unigram-english", "english-small")


def make_examples(store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open) -> Iterator[str]:
    """Make both runs, yielding the id of each when it is finished; `scorer` opens a recipe's scorer."""
    task = TASKS["blimp"]
    path = sample(task)
    for name in MODELS:
        chosen = recipe(name)
        *_, last = evaluate(task, path, chosen, store, scorer=partial(scorer, chosen))
        yield last.run_id

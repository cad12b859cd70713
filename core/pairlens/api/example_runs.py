"""Two example runs made in seconds: our small BLiMP sample, by word counts and by a small language model."""

from collections.abc import Callable, Iterator
from functools import partial

from pairlens.api import recipe
from pairlens.evaluation.evaluate import evaluate
from pairlens.evaluation.zero_shot import sample
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import Scorer

MODELS = ("unigram-english", "english-small")


def make_examples(store: Store, scorer: Callable[[Recipe], Scorer] = Recipe.open) -> Iterator[str]:
    """Make both runs, yielding the id of each when it is finished; `scorer` opens a recipe's scorer."""
    task = TASKS["blimp"]
    path = sample(task)
    for name in MODELS:
        chosen = recipe(name)
        *_, last = evaluate(task, path, chosen, store, scorer=partial(scorer, chosen))
        yield last.run_id

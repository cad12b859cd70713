"""Items that are made of fewer sets of words than there are items."""

from itertools import product

import pandas as pd
import pytest

from pairlens.evaluation.requests import plan
from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from pairlens.studies.experiment.columns import guess_columns
from pairlens.studies.experiment.design import read_design
from pairlens.studies.experiment.wording import lexical_sets
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.text.lexical_sets import n_lexical_sets, shared_words

NOUNS, OBJECTS, VERBS = (
    ["".join(letters) for letters in product(first, "aio", [last])]
    for first, last in (("bdfgklmn", "rt"), ("bdfgklmn", "sp"), ("prst", "lk"))
)
FRAMES = ("Yesterday the {} did {} the {}.", "The {} must {} the {} now.", "Here no {} will {} any {}.", "{} {} {}?")
LONG = (
    "Who did the {} think would ever {} the old {} before leaving town?",
    "Every person hopes the {} could possibly {} that {} at home tonight.",
    "Because it rained, many people saw the {} quietly {} a {} indoors.",
    "There was one {} who tried to {} a {} on a cold winter evening.",
)


def texts(n_sets, frames=FRAMES):
    """24 items of so many lexical sets, one set after the other in each frame."""
    words = [(NOUNS[place % n_sets], VERBS[place % n_sets % 12], OBJECTS[place % n_sets]) for place in range(24)]
    return [frames[place // 6].format(*words[place]) for place in range(24)]


@pytest.mark.parametrize("n_sets", [4, 6, 8, 12, 24])
def test_sets_are_counted_whatever_frame_they_are_in(n_sets):
    n = n_lexical_sets(texts(n_sets))
    assert n == n_sets or (n_sets == 4 and n <= 12), "of sets as large as frames no more is known"
    assert bool(shared_words(texts(n_sets), "pairs", "")) == (n_sets < 24)
    assert n_lexical_sets(texts(24, LONG)) == 24, "shared frames of many words are no shared sets"


def test_few_items_one_frame_conditions_of_an_item_and_pairs_whose_contrasts_are_named_say_nothing(unigram):
    assert not shared_words(texts(1)[:5], "pairs", "") and not shared_words([], "pairs", "")
    assert not shared_words([f"The {noun} is here. The {noun} are here." for noun in NOUNS], "pairs", "")
    assert lexical_sets(factorial(item=True)) == ""
    said = lexical_sets(factorial(item=False))
    assert said.startswith("96 pairs share their words, as if made of 24 lexical sets or fewer")
    recipe = Recipe(find(unigram), SCORERS["unigram"], Policy())
    for groups, n_sets in product([{}, {"given_contrast": "x"}], (6, 24)):
        items = [pair(f"pair_{n}", text, f"No {text}", groups) for n, text in enumerate(texts(n_sets))]
        faults = plan(TASKS["pairs"], items, recipe).faults
        said = "24 pairs share their words, as if made of 6 lexical sets or fewer" in faults
        assert said == (n_sets == 6 and not groups)


def factorial(item):
    """24 items of their own words in four cells each, with their column or without it."""
    rows = [
        {"pairid": f"{place}{number}{tense}", "comparison": side, "sentence": f"The {noun} {verb}.", "number": number,
         "tense": tense} | ({"item": place} if item else {})
        for (place, noun), number, tense in product(enumerate(NOUNS), ("sg", "pl"), ("past", "present"))
        for side, verb in (("expected", f"{VERBS[place % 12]}s"), ("unexpected", VERBS[place % 12]))
    ]  # fmt: skip
    table = pd.DataFrame(rows).astype("str")
    return read_design(table, guess_columns(table))

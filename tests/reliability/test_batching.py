"""A decision never depends on what a text was scored with: batches of any size, in any order, of any lengths."""

import random
from itertools import chain
from operator import itemgetter

import numpy as np
import pytest

from pairlens.measures import PRECISION
from pairlens.models import find, labels_of
from pairlens.places import FOLDER as ROOT
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, accepting
from pairlens.scoring.recipe import recipe_of
from pairlens.settings import settings
from pairlens.types import Request
from tests.thinned import one_of_each

pytestmark = pytest.mark.model

MODELS = sorted(path.parent.name for path in (ROOT / "data" / "models").glob("*/card.json"))
CASES = [(model, scorer) for model in MODELS for scorer in accepting(find(model).kind)]
OF_PAIRS = [case for case in CASES if case[1] in ("causal", "entailment", "next_sentence")]
BATCHES = (
    {},
    *({name: size} for name, size in (("BATCH_TEXTS", "1"), ("TOKEN_BUDGET", "64"), ("BATCH_TEXTS", "2"))),
    *({name: size} for name, size in (("BATCH_TEXTS", "7"), ("BATCH_TEXTS", "64"), ("TOKEN_BUDGET", "4096"))),
)
WORDS = (
    "the keys to cabinet are is dogs that chase asleep nobody believed les enfants une femme cozinha não está , ; "
    "日本語 été 42 1,000 O'Brien's"
)


def pairs(model, number, chance):
    """So many pairs that differ in one word, of up to 60 words; for models of two texts, what they are asked."""
    lengths = (2, 5, 8, 12, 20, 60) if model.kind in ("causal", "unigram") else (2, 5, 8, 12)
    found, known = [], WORDS.split()
    for _ in range(number):
        words = chance.choices(known, k=chance.choice(lengths))
        other = [*words]
        other[chance.randrange(len(words))] = chance.choice(known)
        text, second = " ".join(words), " ".join(other)
        if model.kind == "classifier":
            first, last = chance.sample(list(labels_of(model)), 2)
            found.append((Request(f"{text}\n{second}", first), Request(f"{text}\n{second}", last)))
        elif model.kind == "next-sentence":
            found.append((Request(text, second), Request(text, text)))
        else:
            found.append((Request("", text), Request("", second)))
    return found


def values(model, scorer, requests):
    """The log-probabilities of each one's tokens, from a scorer that was opened under the settings of now."""
    recipe = recipe_of(model, scorer, Policy())
    prepared = requests if SCORERS[scorer].whole else [recipe.request(one) for one in requests]
    return [np.array(one.logprobs) for one in recipe.open().score(prepared)]


def batched(batches, monkeypatch):
    """Each of these in turn, in force."""
    for limits in batches:
        for name in ("BATCH_TEXTS", "TOKEN_BUDGET"):
            monkeypatch.setenv(f"PAIRLENS_{name}", limits.get(name, "0"))
        settings.cache_clear()
        yield limits


def decisions(margins):
    """1 and -1; 0 for ties and what is too close for the arithmetic, which the product calls undecided."""
    return np.sign(margins) * (np.abs(margins) > PRECISION)


def compare(model, scorer, number, batches, monkeypatch):
    """So many pairs in batches of each kind: every token's value is near the first one's, and no decision turns."""
    chance = random.Random(f"{number} {model} {scorer}")
    asked = list(chain.from_iterable(pairs(find(model), number, chance)))
    first, before = [], np.empty(0)
    for limits in batched(batches, monkeypatch):
        order = chance.sample(range(len(asked)), len(asked)) if limits else list(range(len(asked)))
        answers = values(model, scorer, [asked[place] for place in order])
        found = [answer for _, answer in sorted(zip(order, answers, strict=True), key=lambda one: one[0])]
        sums = np.array([np.nansum(one) for one in found])
        decided = decisions(sums[::2] - sums[1::2])
        if not limits:
            first, before = found, decided
        assert np.isfinite(sums).all()
        assert max(np.nanmax(np.abs(a - b)) for a, b in zip(first, found, strict=True)) <= PRECISION, limits
        assert not (turned := before * decided < 0).any(), (limits, asked[2 * int(turned.argmax())])
    assert (before != 0).sum() > number // 2, "nothing was decided"


@pytest.mark.parametrize(("model", "scorer"), one_of_each(OF_PAIRS, itemgetter(1)))
def test_some_pairs(model, scorer, monkeypatch):
    """Text by text, and as many as some tokens; other scorers: `tests/contract/test_scorers.py`."""
    compare(model, scorer, 3, BATCHES[:3], monkeypatch)


@pytest.mark.soak
@pytest.mark.parametrize(("model", "scorer"), CASES)
def test_five_thousand_pairs(model, scorer, monkeypatch):
    compare(model, scorer, 5_000 // len(CASES) + 1, BATCHES, monkeypatch)

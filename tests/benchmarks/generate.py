"""A store as large as one likes, filled by the code that stores real runs: only the scores are drawn at random.

    python -m tests.benchmarks.generate FOLDER --tokens 10000000

Runs of 67,000 pairs in the format of BLiMP by three models, several per model, until there are that many token rows.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

import typer

from pairlens import identity
from pairlens.evaluation import evaluate
from pairlens.evaluation.requests import plan
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.types import PLAIN, Candidate, Extras, Item, Model, Request, ScorerKind, TokenScores

PAIRS, PARADIGMS = 67_000, 67
MODELS = ("small", "medium", "large")
_WORDS = "the a cat dogs child painters sees see had never very old tired who"
_LENGTHS = range(6, 12)


class Drawn:
    """A scorer that reads no text: one token per word, log-probabilities at random."""

    def __init__(self, model: Model) -> None:
        self._random = random.Random(model.name)
        self.about = {"device": "cpu"}

    def score(self, requests: Sequence[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        return [self._one(request.text, boundary=extras.boundary) for request in requests]

    def _one(self, text: str, *, boundary: bool) -> TokenScores:
        words = text.split()
        starts = [*accumulate((len(word) + 1 for word in words[:-1]), initial=0)]
        masses = tuple(-self._random.expovariate(4.0) for _ in range(len(words) + 1)) if boundary else None
        return TokenScores(
            tokens=tuple(f"Ġ{word}" for word in words),
            ids=tuple(sum(map(ord, word)) % 50_000 for word in words),
            logprobs=tuple(-self._random.expovariate(0.2) for _ in words),
            spans=tuple((start, start + len(word)) for start, word in zip(starts, words, strict=True)),
            boundary_logprobs=masses,
            eos_logprobs=masses,
            punctuation_logprobs=masses,
        )


def recipe(name: str) -> Recipe:
    """A model of this name that is nowhere, and what draws its scores."""
    digests = (identity.digest(f"{name} {what}") for what in ("weights", "tokenizer", "config"))
    kind = ScorerKind("causal", 1, "Drawn", frozenset({"causal"}), (), lambda model, _: Drawn(model))
    return Recipe(Model(name, "causal", Path(name), *digests), kind, Policy())


def pairs(seed: int, n: int = PAIRS) -> Iterator[Item]:
    """Pairs of sentences that differ in one word, in paradigms as large as those of BLiMP."""
    drawn = random.Random(seed)
    for number in range(n):
        words = drawn.choices(_WORDS.split(), k=drawn.choice(_LENGTHS))
        words.insert(drawn.randrange(len(words)), f"w{drawn.randrange(30_000)}")
        place = drawn.randrange(len(words))
        good, bad = (" ".join([*words[:place], word, *words[place + 1 :]]) for word in ("is", "are"))
        paradigm = number * PARADIGMS // n
        groups = {
            "UID": f"paradigm_{paradigm}", "linguistics_term": f"term_{paradigm % 12}",
            "field": f"field_{paradigm % 4}", "contrast": "is / are", "pairID": str(number),
        }  # fmt: skip
        yield Item(f"paradigm_{paradigm}_{number}", (Candidate(good, "good"), Candidate(bad, "bad")), "good", groups)


def fill(store: Store, tokens: int, n: int = PAIRS, extras: Extras = PLAIN) -> Iterator[str]:
    """Store runs of `n` pairs until there are at least so many token rows; yields each run's id."""
    written = number = 0
    while written < tokens:
        asked = recipe(MODELS[number % len(MODELS)])
        planned = plan(TASKS["blimp"], pairs(number // len(MODELS), n), asked)
        for _ in evaluate.run(planned, evaluate.Context(store, data=f"set {number // len(MODELS)}", extras=extras)):
            continue
        number += 1
        written += sum(request.text.count(" ") + 1 + extras.boundary for request in planned.requests.values())
        yield planned.run_id


def main(folder: Path, tokens: int = 10_000_000) -> None:
    for run_id in fill(Store(folder, shipped=None), tokens):
        print(run_id, flush=True)


if __name__ == "__main__":
    typer.run(main)

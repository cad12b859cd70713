"""A small finished run of minimal pairs, made in milliseconds without a model."""

from __future__ import annotations

from pathlib import Path

from pairlens.evaluation.evaluate import Context, run
from pairlens.evaluation.requests import plan
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import pair
from pairlens.types import PLAIN, Extras, Model, Request, ScorerKind, TokenScores

PAIRS = (
    ("The cat is tired.", "The cat are tired.", "agreement"),
    ("Two dogs are old.", "Two dogs is old.", "agreement"),
    ("She sees him.", "She sees he.", "case"),
    ("Été 🙂 猫.", "Été 🙂 犬.", "case"),
)


class Counting:
    """Every word costs `margin` nats more than the one before it, bad verbs a little more."""

    def __init__(self, margin: float = 1.0) -> None:
        self.about = {"device": "cpu"}
        self.margin = margin

    def score(self, requests: list[Request], extras: Extras = PLAIN) -> list[TokenScores]:
        return [self._one(request.text, extras) for request in requests]

    def _one(self, text: str, extras: Extras) -> TokenScores:
        words, spans, place = text.split(), [], 0
        for word in words:
            start = text.index(word, place)
            spans.append((start, place := start + len(word)))
        costs = [self.margin if word in ("are", "he.", "犬.") else 0.1 for word in words]
        logprobs = tuple(-1.0 - n / 3 - cost for n, cost in enumerate(costs))
        ends = (-0.7,) * (len(words) + 1) if extras.boundary else None
        return TokenScores(
            tuple(words), tuple(range(len(words))), logprobs, tuple(spans), boundary_logprobs=ends, eos_logprobs=ends,
            punctuation_logprobs=ends,
        )  # fmt: skip


def run_of_pairs(
    store: Store, margin: float = 1.0, *, boundary: bool = False, pairs: tuple = PAIRS, task: str = "pairs"
) -> str:
    """Score the pairs and return the run's id; another `margin` is another model."""
    items = [pair(f"pair_{n}", good, bad, {"UID": uid}) for n, (good, bad, uid) in enumerate(pairs)]
    kind = ScorerKind("counting", 1, "counts", frozenset(), ("first_token",), lambda model, policy: Counting(margin))
    model = Model(f"counter{margin:+}", "counting", Path(), f"{margin:+064.0f}"[:64], "", "")
    planned = plan(TASKS[task], items, Recipe(model, kind, Policy()))
    for _ in run(
        planned, Context(store, data="typed", extras=Extras(boundary=boundary), scorer=lambda: Counting(margin))
    ):
        continue
    return planned.run_id

"""A class as a run of its own kind: human choices, beside runs of models with the same items.

A choice with v of n votes among k has the value log((v + 1/2) / (n + k/2)), in nats: the estimator of Krichevsky and
Trofimov (1981), which is finite also without votes. The margin of a pair is then the empirical logit (Haldane 1956).
Which choice is ahead, and which are tied, is exactly as in the votes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn, cast

import pandas as pd

from core import identity
from core.errors import InputError, ModelError
from core.policies import Policy
from core.runs import evaluate
from core.runs.imported_scores import Repeater
from core.runs.imported_scores.texts import Stated
from core.runs.receipts.scored_by import HUMAN
from core.runs.requests import plan
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.classroom.classroom import REVEALED, Classroom, choices
from core.studies.classroom.shares import tally
from core.studies.lesson import Step
from core.tasks import TASKS
from core.text.joining import following
from core.types import Candidate, Item, Model, Scorer, ScorerKind, TokenScores


def store_choices(name: str, room: Classroom, store: Store) -> str:
    """Store the votes of a class (called `name`) as a run of pairs and return its id; the same votes, the same run.

    Steps count whose answer was shown and that have votes and choices; if any has an expected choice, only such.
    InputError without any, or where a sentence stands in two steps: a run holds one answer to each text.
    """
    numbers = [n for n in range(1, room.last + 1) if room.stages[n - 1] == REVEALED and tally(room, n).votes]
    numbers = [n for n in numbers if choices(room.lesson.steps[n - 1])]
    if judged := [n for n in numbers if room.lesson.steps[n - 1].expected in choices(room.lesson.steps[n - 1])]:
        numbers = judged
    if not numbers:
        raise InputError("There is nothing to save: no step with choices has votes and was answered.")
    items = [_item(number, room.lesson.steps[number - 1]) for number in numbers]
    scores: dict[str, TokenScores] = {}
    for number, item in zip(numbers, items, strict=True):
        scores |= dict(_values(room, number, item, scores))
    planned = plan(TASKS["pairs"], items, _recipe(name, room, numbers))
    stated = Stated(pd.DataFrame(), scores, f"class {name}")
    title = f"{room.lesson.title}: human choices"
    scorer = cast(Scorer, Repeater(stated))
    for _ in evaluate.run(
        planned, evaluate.Context(store, data=room.lesson.title, title=title, scorer=lambda: scorer)
    ):
        continue
    store.update({**store.manifest(planned.run_id), "stated": {"class": name, "begun": room.begun}})
    return planned.run_id


def _item(number: int, step: Step) -> Item:
    texts = step.pair or tuple(following(step.prefix, form) for form in step.forms)
    candidates = tuple(Candidate(text, name, step.prefix) for name, text in zip(choices(step), texts, strict=True))
    gold = step.expected if step.expected in choices(step) else None
    return Item(f"step_{number}", candidates, gold, {"UID": "class", "contrast": f"step {number}"})


def _values(
    room: Classroom, number: int, item: Item, known: dict[str, TokenScores]
) -> Iterator[tuple[str, TokenScores]]:
    """Each text of a step as one token whose value is that of its votes."""
    counted, k = tally(room, number), len(item.candidates)
    for place, one in enumerate(item.candidates):
        text = one.context + one.text
        if text in known:
            raise InputError(
                f"'{text}' stands in two steps, and a run holds one answer to each text: take votes.csv instead."
            )
        value = math.log((counted.counts[one.label] + 0.5) / (counted.votes + k / 2))
        yield text, TokenScores((text,), (place,), (value,), ((0, len(text)),))


def _recipe(name: str, room: Classroom, numbers: list[int]) -> Recipe:
    """A recipe whose fingerprint depends on the votes, so that it is never a model's."""
    votes = [[number, dict(tally(room, number).counts)] for number in numbers]
    kind = ScorerKind(
        name=HUMAN, version=1, title="choices of a class", accepts=frozenset(), reads=(), open=_cannot_open,
        quantity="Log shares of votes", whole=True,
    )  # fmt: skip
    made_of = identity.digest(identity.canonical([name, votes]))
    return Recipe(Model(f"class {name}", HUMAN, Path(), "", "", made_of), kind, Policy(text="as-typed"))


def _cannot_open(model: Model, policy: Policy) -> NoReturn:  # noqa: ARG001
    raise ModelError(f"'{model.name}' is a class of people: there is nothing to score with.")

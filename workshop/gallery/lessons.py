"""Ask the bundled models the lessons that ship: their answers, and the scores that ship with the gallery's."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path

from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.studies.lesson.answering import Answer, answers
from pairlens.studies.lesson.lesson import FOLDER, MEASURED, SKIPPED, Lesson, Measured, names, shipped
from pairlens.types import Model
from workshop.gallery.scoring import bundled_readers, store_pairs


def measure(lesson: Lesson, model: Model, store: Store) -> list[Measured]:
    """A model's answers to the steps of a lesson, in order, bits with four digits; masked models skip beginnings."""
    recipe = Recipe(model, SCORERS[default_for(model.kind)], Policy())
    steps = [step for step in lesson.steps if step.pair or model.kind == "causal"]
    store_pairs([step.pair for step in steps if step.pair], recipe, store)
    answered = iter(answers(steps, recipe, store, cache(recipe.open)))
    return [_rounded(next(answered)) if step in steps else SKIPPED for step in lesson.steps]


def _rounded(answer: Answer) -> Measured:
    bits = None if math.isnan(answer.bits) else round(answer.bits, 4)
    return Measured(answer.chosen, bits, answer.right)


def readers(lesson: Lesson) -> list[Model]:
    """The bundled models that have read the lesson's language."""
    return bundled_readers(("causal", "masked"), lesson.language)


def score_lessons(store: Store, folder: Path = FOLDER) -> None:
    """Add to a store what is missing and write `measured.json`."""
    by_lesson = {name: _measured(shipped(name), store) for name in names()}
    (folder / MEASURED).write_text(json.dumps(by_lesson, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _measured(lesson: Lesson, store: Store) -> dict[str, Sequence[object]]:
    return {model.name: [asdict(answer) for answer in measure(lesson, model, store)] for model in readers(lesson)}

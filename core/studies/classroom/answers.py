"""The answers of a model to the steps of a lesson, by the same functions as the pages Compare and Next word."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

from core import measures
from core.policies import preset_for
from core.scoring.recipe import Recipe, recipe_of
from core.store import Store
from core.studies.classroom.classroom import Answer
from core.studies.compare import wording
from core.studies.compare.pair import Comparison
from core.studies.lesson import Lesson, answering
from core.studies.next_word import SETS
from core.studies.next_word.forms import FormComparison


def answers(lesson: Lesson, model: str, store: Store) -> Iterator[Answer]:
    """The model's answer to each step, in order. ModelError for a model that cannot answer one of them."""
    paired, following = recipe_of(model), recipe_of(model, "", preset_for("pairlens", SETS))
    scorer, reader = cache(paired.open), cache(following.open)
    for step in lesson.steps:
        recipe, opened = (paired, scorer) if step.pair else (following, reader)
        (answer,) = answering.answers([step], recipe, store, opened)
        yield _for_a_class(answer, recipe)


def _for_a_class(answer: answering.Answer, recipe: Recipe) -> Answer:
    found, chosen = answer.found, answer.chosen
    values: Mapping[str, float]
    if isinstance(found, Comparison):
        values, lead, ratio = dict(zip("AB", found.values, strict=True)), found.margin, found.left_to_right
        chosen = "" if wording.same(found) else chosen
    elif isinstance(found, FormComparison):
        values, lead, ratio = {form.text: form.whole for form in found.forms}, found.margin, True
    else:
        words = [word for word in found.words.words if not word.ends_text] if found.words else []
        values = {word.text.strip(): word.logprob for word in words}
        return Answer(next(iter(values), ""), answer.said, _in_bits(values))
    if not chosen:
        return Answer("", answer.said, _in_bits(values))
    times = f" ({wording.likelier(abs(lead))})" if ratio else ""
    return Answer(chosen, f"by {wording.amount(abs(lead), recipe.policy.unit)}{times}", _in_bits(values))


def _in_bits(nats: Mapping[str, float]) -> dict[str, float]:
    """Without the choices that have no value."""
    return {choice: measures.bits(value) for choice, value in nats.items() if not math.isnan(value)}

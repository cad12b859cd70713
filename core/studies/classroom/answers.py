"""The answers of a model to the steps of a lesson, by the same functions as the pages Compare and Next word."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from core import measures
from core.policies import preset_for
from core.scoring.recipe import Recipe, recipe_of
from core.store import Store
from core.studies.classroom.classroom import Answer
from core.studies.compare import wording as of_pairs
from core.studies.compare.pair import Comparison, compare
from core.studies.lesson import Lesson, Step
from core.studies.next_word import SETS
from core.studies.next_word import wording as of_words
from core.studies.next_word.forms import FormComparison, compare_forms
from core.studies.next_word.next_token import next_tokens
from core.studies.next_word.prefix import predictor, read_prefix
from core.types import Scorer

_POLICY = "pairlens"


def answers(lesson: Lesson, model: str, store: Store) -> Iterator[Answer]:
    """The model's answer to each step, in order. ModelError for a model that cannot answer one of them."""
    paired = recipe_of(model)
    following = recipe_of(model, "", preset_for(_POLICY, SETS))
    scorer, reader = cache(paired.open), cache(following.open)
    for step in lesson.steps:
        if step.pair:
            yield _of_pair(compare([step.pair], paired, store, scorer)[0])
        elif step.forms:
            yield _of_forms(compare_forms([(step.prefix, step.forms)], following, store, reader)[0], following)
        else:
            yield _of_any_word(step, following, reader)


def _of_pair(compared: Comparison) -> Answer:
    same = of_pairs.same(compared)
    values = _in_bits(dict(zip("AB", compared.values, strict=True)))
    if same or compared.preferred not in ("A", "B"):
        return Answer("", same or of_pairs.preference(compared), values)
    times = f" ({of_pairs.likelier(abs(compared.margin))})" if compared.left_to_right else ""
    lead = f"by {of_pairs.amount(abs(compared.margin), compared.recipe.policy.unit)}{times}"
    return Answer(compared.preferred, lead, values)


def _of_forms(compared: FormComparison, recipe: Recipe) -> Answer:
    values = _in_bits({form.text: form.whole for form in compared.forms})
    if compared.outcome != "decided":
        return Answer("", of_words.decision(compared, recipe.policy.unit), values)
    lead = f"by {of_pairs.amount(compared.margin, recipe.policy.unit)} ({of_pairs.likelier(compared.margin)})"
    return Answer(compared.ranked[0].text, lead, values)


def _of_any_word(step: Step, recipe: Recipe, reader: Callable[[], Scorer]) -> Answer:
    opened = predictor(recipe, reader)
    prefix = read_prefix(step.prefix, recipe)
    position = len(opened.tokenizer.backend.encode(prefix, add_special_tokens=False).ids)
    seen = next_tokens(prefix, position, opened, recipe.policy)
    found = [word for word in seen.words.words if not word.ends_text] if seen.words else []
    values = {word.text.strip(): word.logprob for word in found}
    return Answer(next(iter(values), ""), of_words.expectation(seen), _in_bits(values))


def _in_bits(nats: Mapping[str, float]) -> dict[str, float]:
    """Without the choices that have no value."""
    return {choice: measures.bits(value) for choice, value in nats.items() if not math.isnan(value)}

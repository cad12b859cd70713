"""What a model says to the steps of a lesson."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core import measures
from core.scoring.recipe import Recipe
from core.store import Store
from core.studies.compare import wording as of_pairs
from core.studies.compare.pair import Comparison, compare
from core.studies.lesson.lesson import Step
from core.studies.next_word import wording as of_words
from core.studies.next_word.forms import FormComparison, compare_forms
from core.studies.next_word.next_token import NextTokens, next_tokens
from core.studies.next_word.prefix import predictor, read_prefix
from core.types import Scorer


@dataclass(frozen=True)
class Answer:
    """A model's answer to a step: `chosen` is A or B, a form, or the likeliest word; empty for a tie and the like.

    `bits` is its lead over the next choice, NaN where there is none. `right` compares it with what is expected, None
    where nothing is. `said` is the answer as a sentence, `found` what it was made from.
    """

    chosen: str
    bits: float
    right: bool | None
    said: str
    found: Comparison | FormComparison | NextTokens


def answers(
    steps: Sequence[Step], recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None = None
) -> list[Answer]:
    """One per step; what is not stored is scored now with `scorer()`.

    ModelError for a beginning and a model that does not read from left to right.
    """
    pairs = iter(compare([step.pair for step in steps if step.pair], recipe, store, scorer))
    return [_of_pair(step, next(pairs)) if step.pair else _after(step, recipe, store, scorer) for step in steps]


def _after(step: Step, recipe: Recipe, store: Store, scorer: Callable[[], Scorer] | None) -> Answer:
    """After a beginning: which of its forms, or which word."""
    if step.forms:
        (choice,) = compare_forms([(step.prefix, step.forms)], recipe, store, scorer)
        chosen = choice.ranked[0].text if choice.outcome == "decided" else ""
        return _answer(step, chosen, choice.margin, of_words.decision(choice, recipe.policy.unit), choice)
    opened = predictor(recipe, scorer)
    read = read_prefix(step.prefix, recipe)
    n_tokens = len(opened.tokenizer.backend.encode(read, add_special_tokens=False).ids)
    seen = next_tokens(read, n_tokens, opened, recipe.policy)
    words = seen.words.words if seen.words else ()
    lead = words[0].logprob - words[1].logprob if len(words) > 1 else math.nan
    return _answer(step, of_words.named(words[0]) if words else "", lead, of_words.expectation(seen), seen)


def _of_pair(step: Step, compared: Comparison) -> Answer:
    chosen = compared.preferred if compared.preferred in ("A", "B") else ""
    return _answer(step, chosen, compared.margin, of_pairs.same(compared) or of_pairs.preference(compared), compared)


def _answer(
    step: Step, chosen: str, margin: float, said: str, found: Comparison | FormComparison | NextTokens
) -> Answer:
    right = None if step.expected in ("", "none") else chosen == step.expected
    return Answer(chosen, abs(measures.bits(margin)) if chosen else math.nan, right, said, found)

"""The question: two beginnings that differ in one place, and two forms of the word that follows.

With m(beginning) = log2 p(first form) - log2 p(second form) after it, each form with the end of its word, and a
receiver into whose run states of a donor are put:

    bits  = m(receiver, patched) - m(receiver)
    share = bits / (m(donor) - m(receiver))          0: nothing moved, 1: all

The share is absent where the beginnings differ by less than `SMALLEST`. Direction `first` is the one in which the
first beginning is the donor.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, ModelError
from core.policies import Policy
from core.scorers._patch import COMPONENTS, Patch, apart, together
from core.scorers._patched import PATCHED
from core.scoring.recipe import Recipe
from core.tasks._beginnings import SIDES
from core.text.joining import following, joint
from core.text.words import edges, end_masses, word_value
from core.types import Request, TokenScores

DIRECTIONS = FIRST, _ = SIDES
"""Which beginning is the donor."""
SMALLEST = 0.1
"""Bits. Where the margins of two beginnings are nearer to each other, a share of their difference means nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """Two beginnings and two forms, as typed. InputError where one is empty, or both are the same."""

    first: str
    second: str
    forms: tuple[str, str]

    def __post_init__(self) -> None:
        for name, text in (("first beginning", self.first), ("second beginning", self.second)):
            if not text.strip():
                raise InputError(f"the {name} is empty: type the words before the form")
        if self.first.split() == self.second.split():
            raise InputError("both beginnings are the same: change one place in the second")
        if not all(form.strip() for form in self.forms) or self.forms[0].strip() == self.forms[1].strip():
            raise InputError("two different forms are compared, for example are and is")

    @property
    def beginnings(self) -> tuple[str, str]:
        """Both."""
        return self.first, self.second


def patched(recipe: Recipe) -> Recipe:
    """The same model and policy, asked for patched forms; ModelError for a model that is not causal."""
    if recipe.model.kind not in PATCHED.accepts:
        raise ModelError(
            f"'{recipe.model.name}' is a {recipe.model.kind} model: only models that read from left to right can be "
            "looked into. Choose a causal model."
        )
    return replace(recipe, kind=PATCHED)


def check_component(component: str) -> None:
    """InputError for a component that there is not."""
    if component not in COMPONENTS:
        raise InputError(
            f"there is no component '{component}': take {', '.join(COMPONENTS[:-1])} or {COMPONENTS[-1]}"
        )


def form_requests(question: Question, recipe: Recipe, *, spaced: bool = False) -> list[list[Request]]:
    """By beginning, a request for each form, as the model reads it. `spaced`: a space joins them in any case."""
    return [
        [recipe.request(Request(text, following(text, form, always=spaced))) for form in question.forms]
        for text in map(str.rstrip, question.beginnings)
    ]


def put(requests: Sequence[Request], patch: Patch) -> list[Request]:
    """The same requests, patched."""
    return [replace(request, after=patch.written()) for request in requests]


def share(bits: Reals, difference: float) -> Reals:
    """What part of the difference m(donor) - m(receiver) the patches moved; NaN where that is too small."""
    if abs(difference) < SMALLEST:
        return np.full(len(bits), np.nan)
    return bits / difference


Reals = NDArray[np.float64]


def values(scores: TokenScores, request: Request, policy: Policy) -> Reals:
    """By cell, in nats; of a request that is not patched, its one value. Only differences of two forms are meant.

    The end of the word counts as the policy says, but for marks, which always end it (as in `next_word.forms`).
    """
    policy = policy.but(punctuation="separate")
    scores = scores if request.after else together([scores])
    first = apart(scores)[0]
    n = len(first.tokens)
    found: Reals = np.asarray(scores.logprobs).reshape(-1, n + 1)[:, :n].sum(axis=1)
    if word_value(scores, policy) != "sum" and joint((request.context + request.continuation).rstrip()):
        masses = np.asarray(end_masses(scores, policy)[:-1]).reshape(-1, n + 1)
        if not math.isnan(edges(first, request.context + request.continuation, policy)[-1]):
            found = found + masses[:, -1]
    return found

"""The question: two beginnings that differ in one place, and two forms of the word that follows.

With m(beginning) = log2 p(first form) - log2 p(second form) after it, each form with the end of its word, and a
receiver into whose run states of a donor are put:

    bits  = m(receiver, patched) - m(receiver)
    share = bits / (m(donor) - m(receiver))          0: nothing moved, 1: all

The share is absent where the beginnings differ by less than `SMALLEST`. Direction `first` is the one in which the
first beginning is the donor.

Of many items, regions are what stands between bars, if all have equally many; else words, if all beginnings have
equally many; else, as far as all items have them, the last word before the place of difference, that place, the first
word after it and the last word. The start symbol is one of its own. A region is represented by its last token, as in
Arora, Jurafsky & Potts 2024, "CausalGym: Benchmarking causal interpretability methods on linguistic tasks".
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import InputError, ModelError, unknown
from pairlens.models.loading import load_tokenizer
from pairlens.policies import Policy
from pairlens.scorers._encoding import Encoded, encode, start_symbol
from pairlens.scorers._patch import COMPONENTS, Patch, apart, together
from pairlens.scorers._unlisted import PATCHED
from pairlens.scoring.recipe import Recipe
from pairlens.studies.next_word.forms import read_forms
from pairlens.studies.next_word.pieces import pieces_of
from pairlens.tasks._beginnings import SIDES, Beginnings, Spans
from pairlens.text import n_shared
from pairlens.text.joining import joint
from pairlens.text.words import edges, end_masses, word_value
from pairlens.types import Request, Span, TokenScores

DIRECTIONS = FIRST, _ = SIDES
"""Which beginning is the donor."""
SMALLEST = 0.1
"""Bits. Where the margins of two beginnings are nearer to each other, a share of their difference means nothing."""


@dataclass(frozen=True, slots=True)
class Question:
    """As typed. InputError where a beginning or a form is empty, or both are the same."""

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

    @classmethod
    def typed(cls, first: str, second: str, forms: str | Sequence[str]) -> Self:
        """Forms as `read_forms` reads them; InputError unless there are two."""
        listed = read_forms(forms)
        if len(listed) != 2:
            raise InputError(f"{len(listed)} forms are typed; two are compared here, for example: are, is.")
        return cls(first, second, (listed[0], listed[1]))

    @property
    def beginnings(self) -> tuple[str, str]:
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
    if component not in COMPONENTS:
        raise InputError(unknown("component", component, COMPONENTS))


def put(requests: Sequence[Request], patch: Patch) -> list[Request]:
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
    sums: Reals = np.asarray(scores.logprobs).reshape(-1, n + 1)[:, :n].sum(axis=1)
    if word_value(scores, policy) != "sum" and joint((request.context + request.continuation).rstrip()):
        masses = np.asarray(end_masses(scores, policy)[:-1]).reshape(-1, n + 1)
        if not math.isnan(edges(first, request.context + request.continuation, policy)[-1]):
            sums = sums + masses[:, -1]
    return sums


@dataclass(frozen=True, slots=True)
class Alignment:
    """Positions of a receiver and of a donor that belong together, in order: those of the tokens that begin both, and
    of those that end both. What stands between is aligned one by one if it is equally many tokens, else not at all.

    `start` and `end` count the tokens that begin and end both, `parted` those between, in receiver and donor.
    """

    pairs: tuple[tuple[int, int], ...]
    start: int
    end: int
    parted: tuple[int, int]

    @property
    def whole(self) -> bool:
        return self.parted[0] == self.parted[1]


def aligned(receiver: Sequence[int], donor: Sequence[int]) -> Alignment:
    """InputError for beginnings whose tokens are the same."""
    start = n_shared(receiver, donor)
    end = n_shared(receiver[start:][::-1], donor[start:][::-1])
    parted = len(receiver) - start - end, len(donor) - start - end
    if parted == (0, 0):
        raise InputError("both beginnings are the same for this model: there is nothing to move")
    between = range(start, start + parted[0]) if parted[0] == parted[1] else ()
    ends = ((len(receiver) - place, len(donor) - place) for place in range(end, 0, -1))
    return Alignment((*((place, place) for place in (*range(start), *between)), *ends), start, end, parted)


class Cutter:
    """Cuts texts into tokens as a recipe's model does, without its weights; the start symbol is the first of them."""

    def __init__(self, recipe: Recipe) -> None:
        self._tokenizer = load_tokenizer(recipe.model)
        start = start_symbol(self._tokenizer, recipe.policy.first_token, recipe.model.name)
        self._symbol = () if start is None or recipe.policy.first_token == "separate" else (start,)
        self._shown = pieces_of(self._tokenizer).shown
        self.whole_words = pieces_of(self._tokenizer).whole
        self.has_symbol = bool(self._symbol)

    def ids(self, text: str) -> tuple[int, ...]:
        return (*self._symbol, *self._encoded(text).ids)

    def spans(self, text: str) -> list[Span]:
        """The characters of each, none of the start symbol."""
        return [*((0, 0) for _ in self._symbol), *self._encoded(text).spans]

    def shown(self, ids: Sequence[int]) -> list[str]:
        """Tokens for display, a leading space as ·."""
        return [self._shown[id] for id in ids]

    def named(self, token: str) -> str:
        """One for display by its name in the vocabulary."""
        id = self._tokenizer.backend.token_to_id(token)
        return token if id is None else self._shown[id]

    def _encoded(self, text: str) -> Encoded:
        return encode(self._tokenizer, [Request("", text)])[0]


START, BEFORE, DIFFERENCE, AFTER, END = ("start", "before", "difference", "after", "end")
_MOST_WORDS = 24
Named = dict[str, tuple[Span, Span]]
"""By name, the characters of a region in the first and in the second beginning."""


def regions(of: Sequence[Beginnings]) -> list[Named]:
    """For each item its regions, under the same names in all; InputError where they have none in common."""
    barred = {len(spans) for one in of for spans in one.regions}
    parts = [[tuple(match.span() for match in re.finditer(r"\S+", text)) for text in one.texts] for one in of]
    words = [(first, second) for first, second in parts]
    counts = {len(spans) for pair in words for spans in pair}
    if len(barred) == 1 and 0 not in barred:
        return _in_order([one.regions for one in of], of, "region")
    if len(counts) == 1 and counts.pop() <= _MOST_WORDS:
        return _in_order(words, of, "word")
    around = [_around(*pair, one) for pair, one in zip(words, of, strict=True)]
    shared = [name for name in around[0] if all(name in one for one in around)]
    return [{name: one[name] for name in shared} for one in around]


def places(named: Named, texts: tuple[str, str], cutter: Cutter) -> list[tuple[int, int]]:
    """The last token of each region in both texts, after the start symbol; InputError where one has none."""
    ends = [{stop: place for place, (start, stop) in enumerate(cutter.spans(text)) if start < stop} for text in texts]
    pairs = [(0, 0)] if cutter.has_symbol else []
    for name, (first, second) in named.items():
        if first[1] not in ends[0] or second[1] not in ends[1]:
            raise InputError(f"the region '{name}' ends inside a token")
        pairs.append((ends[0][first[1]], ends[1][second[1]]))
    return pairs


def _in_order(spans: Sequence[tuple[Spans, Spans]], of: Sequence[Beginnings], kind: str) -> list[Named]:
    """Regions one by one, named by what stands there in all items or that it is the place of difference."""
    names: list[str] = []
    for place in range(len(spans[0][0])):
        written = [
            (one.texts[0][slice(*first[place])], one.texts[1][slice(*second[place])])
            for one, (first, second) in zip(of, spans, strict=True)
        ]
        texts = {text for pair in written for text in pair}
        name = texts.pop() if len(texts) == 1 else f"{kind} {place + 1}"
        name = DIFFERENCE if all(first != second for first, second in written) else name
        names.append(name if name not in names else f"{name} ({place + 1})")
    return [{name: (first[place], second[place]) for place, name in enumerate(names)} for first, second in spans]


def _around(first: Spans, second: Spans, one: Beginnings) -> Named:
    words = [[text[slice(*span)] for span in spans] for text, spans in zip(one.texts, (first, second), strict=True)]
    start = n_shared(*words)
    end = min(n_shared(words[0][::-1], words[1][::-1]), len(first) - start, len(second) - start)
    stops = len(first) - end, len(second) - end
    named: Named = {BEFORE: (first[start - 1], second[start - 1])} if start else {}
    if min(stops) > start:
        named[DIFFERENCE] = (first[start][0], first[stops[0] - 1][1]), (second[start][0], second[stops[1] - 1][1])
    if end > 1:
        named[AFTER] = first[stops[0]], second[stops[1]]
    if end:
        named[END] = first[-1], second[-1]
    return named

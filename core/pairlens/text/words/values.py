"""The log-probability of each word of a text, from the log-probabilities of its tokens.

The sum over a word's tokens is not the probability of the word: where tokens carry the space before a word, nothing
in *laugh* says that the word ends there, so *laugh* takes in *laughs* and *laughter*, and what tells them apart is
booked to the next word. With D(i) = log mass of "a word ends here" at the point where token i is predicted (Pimentel
& Meister 2024, "How to compute the probability of a word"; Oh & Schuler 2024, "Leading whitespaces of language
models pose a confound for calculating word probabilities"),

    log p(word) = sum over its tokens + D(after its last token) - D(before its first token).

`bow` takes as ends the tokens that begin with white space (minicons: with its tokenizer's own sign for a space).
`bow_eos` takes all that end a word as words are defined here: white space, the end of the text, and, where the
punctuation policy parts marks from the words before them, tokens that begin with a mark (apostrophes and hyphens
aside). `sum` has no such terms.

Where an edge is and what it counts:

- a text begins at the edge of a word, whatever comes first: D is 0 there (the first word carries no space, so that
  every token may begin it, and their mass is 1);
- at white space, at the end of the text and, with `bow_eos`, before a mark that is no part of the word, it is the
  mass;
- elsewhere (between the characters of a script without spaces, inside a word that was cut by hand, after an opening
  mark that is a word of its own) nothing in the tokens marks the edge: it is not counted, on either side of it.

Since a word adds the very term that the next one subtracts, words telescope: for the words from token a up to token
b, none left out,

    sum of word values = sum of token log-probabilities + D(b) - D(a),

for a whole text therefore the sentence's sum plus the one end term D(n), where uncounted edges have D = 0. With
`bow_eos` that term is close to 0 after a final mark; with `bow`, which knows no end of text, it is large there.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pairlens.policies import Policy
from pairlens.text.words.segmentation import (
    first_character,
    is_mark,
    is_unspaced,
    positions_in,
    separates,
    word_positions,
    word_spans,
)
from pairlens.types import Span, TokenScores


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text and its log-probability.

    `span` are its characters in the text. `value` is in nats, NaN if any of its tokens is unscored (also under
    `first_token` = `one`, which concerns averages only) or if it has none. `tokens` are positions in the token
    scores. `variant` is the word value used: `bow_eos`, `bow` or `sum`, with `, start only` or `, end only` if only
    one of the word's edges could be counted.
    """

    text: str
    span: Span
    value: float
    tokens: tuple[int, ...]
    variant: str

    @property
    def n_tokens(self) -> int:
        return len(self.tokens)


class Ends(Protocol):
    """Log masses of word ends, point by point: of token scores, or of a model's predictions."""

    @property
    def boundary_logprobs(self) -> Sequence[float] | None: ...

    @property
    def eos_logprobs(self) -> Sequence[float] | None: ...

    @property
    def punctuation_logprobs(self) -> Sequence[float] | None: ...


def word_value(scores: Ends, policy: Policy) -> str:
    """The word value that these scores support: the policy's, else `bow` (no end of text known), else `sum`."""
    if policy.word_value == "sum" or not _known(scores.boundary_logprobs):
        return "sum"
    if policy.word_value == "bow" or not _known(scores.eos_logprobs):
        return "bow"
    parted = policy.punctuation != "previous"
    return "bow_eos" if not parted or _known(scores.punctuation_logprobs) else "sum"


def _known(masses: Sequence[float] | None) -> bool:
    return masses is not None and not all(math.isnan(mass) for mass in masses)


def edges(scores: TokenScores, text: str, policy: Policy) -> list[float]:
    """D(0) ... D(n) in nats, before each token and after the last; NaN where no edge of a word is counted."""
    if word_value(scores, policy) == "sum":
        return [math.nan] * (len(scores.tokens) + 1)
    parted = parts_marks(scores, policy)
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    values: list[float] = []
    last = -1
    for span, mass in zip((*scores.spans, (end, end)), end_masses(scores, policy), strict=True):
        first = first_character(span, text) if len(values) < len(scores.tokens) else end
        edge = first > last and _is_edge(text, first, parted)
        values.append((0.0 if first == begin else mass) if edge else math.nan)
        last = max(first, last)
    return values


def parts_marks(scores: Ends, policy: Policy) -> bool:
    return word_value(scores, policy) == "bow_eos" and policy.punctuation != "previous"


def end_masses(scores: Ends, policy: Policy) -> list[float]:
    """At each point the log mass of all tokens that end a word by the policy, which must not be `sum`."""
    ends = [scores.boundary_logprobs]
    if word_value(scores, policy) == "bow_eos":
        ends.append(scores.eos_logprobs)
    if parts_marks(scores, policy):
        ends.append(scores.punctuation_logprobs)
    with np.errstate(invalid="ignore"):
        total: list[float] = np.logaddexp.reduce(np.asarray(ends, dtype=float)).tolist()
    return total


def _is_edge(text: str, first: int, parted: bool) -> bool:
    if unspaced_letter(text, first - 1, -1) or unspaced_letter(text, first, 1):
        return False
    if first in (0, len(text)) or text[first].isspace() or text[first - 1].isspace():
        return True
    return parted and separates(text[first])


def unspaced_letter(text: str, place: int, step: int) -> bool:
    """Whether the nearest letter from here, over marks and white space, is of a script without spaces."""
    while 0 <= place < len(text) and (text[place].isspace() or is_mark(text[place])):
        place += step
    return 0 <= place < len(text) and is_unspaced(text[place])


def words(scores: TokenScores, text: str, policy: Policy, *, spans: Sequence[Span] | None = None) -> list[Word]:
    """The words that the scored tokens make up, in order.

    `text` is the whole text (`Request.text`). Words are found by `pairlens.text.words.segmentation` with the policy's
    punctuation; a word that no token begins is joined to the one whose token covers it, words of the context are left
    out. `spans`, in order and apart, are the words instead: tokens outside them are left out.
    """
    if spans is None:
        owners = word_positions(scores.spans, text, policy.punctuation)
        where, owners = _joined(word_spans(text, policy.punctuation), owners)
    else:
        where, owners = [*spans], positions_in(spans, scores.spans, text)
    tokens: list[list[int]] = [[] for _ in where]
    for token, owner in enumerate(owners):
        if owner >= 0:
            tokens[owner].append(token)
    ends, variant = edges(scores, text, policy), word_value(scores, policy)
    return [_word(text, span, own, scores, ends, variant) for span, own in zip(where, tokens, strict=True)]


def _joined(where: list[Span], owners: list[int]) -> tuple[list[Span], list[int]]:
    """Words and owners without the words that no token begins: each is made part of the one before it."""
    owning = sorted(set(owners) - {-1})
    index = {word: place for place, word in enumerate(owning)}
    until = [*owning, len(where)][1:]
    spans = [(where[word][0], where[following - 1][1]) for word, following in zip(owning, until, strict=True)]
    return spans, [index.get(owner, -1) for owner in owners]


def _word(text: str, span: Span, tokens: list[int], scores: TokenScores, ends: list[float], variant: str) -> Word:
    written = text[slice(*span)]
    if not tokens:
        return Word(written, span, math.nan, (), "sum")
    start, end = ends[tokens[0]], ends[tokens[-1] + 1]
    counted = {(True, True): variant, (True, False): f"{variant}, start only", (False, True): f"{variant}, end only"}
    named = counted.get((not math.isnan(start), not math.isnan(end)), "sum")
    terms = [scores.logprobs[token] for token in tokens]
    terms += [term for term in (end, -start) if not math.isnan(term)]
    return Word(written, span, math.fsum(terms), tuple(tokens), named)

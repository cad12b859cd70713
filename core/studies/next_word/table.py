"""The published table: for each sentence a row per position, from the start symbol on, by piece or by word.

    sentence    number of the text, from 1
    token       what stands there; first the start symbol, unless texts follow nothing under the policy
    ref_next    what comes next in the text, as the model sees it: what it does not know is its unknown symbol
    pred_next   what the model finds likeliest
    ref_prob    log-probability of `ref_next` given all before it
    pred_prob   log-probability of `pred_next`
    entropy_bits  uncertainty about the next piece (by piece only)

`ref_prob` and `pred_prob` are natural logarithms, despite their names, which are those of the French object-agreement
notebooks (Li, Wisniewski & Crabbé 2021). There are as many rows as tokens, the start symbol included, minus 1; a
prefix has one more, whose `ref_next` and `ref_prob` are missing. A text that ends with the model's own end symbol, as
the published files do, has a row for it. By word, `ref_prob` is the word's with its end counted (`core.text.words`)
and `pred_next` the likeliest whole word; a word with an unscored piece has no `ref_prob`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core import measures
from core.errors import PolicyError, unknown
from core.policies import Policy
from core.scoring.recipe import Recipe
from core.studies.next_word.pieces import Pieces, pieces_of
from core.studies.next_word.prefix import joint
from core.studies.next_word.top_words import top_words
from core.studies.next_word.word_ends import word_end
from core.text.words import Word, words
from core.types import UNSCORED, Extras, Predictor, Request, TokenScores

PUBLISHED = ("token", "ref_next", "pred_next", "ref_prob", "pred_prob")
BY = ("piece", "word")

_EXTRAS = Extras(boundary=True, entropy=True, top=1)
_NOTHING = TokenScores((), (), (), (), tops=(), entropies=())
"""The scores of the beginning of a text."""

_Rows = Iterator[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A text as the model reads it. `last` follows it: the end symbol, None if unknown, empty if not asked."""

    text: str
    last: str | None


def next_word_table(
    texts: Sequence[str], recipe: Recipe, predictor: Predictor, *, by: str = "piece", prefixes: bool = False
) -> pd.DataFrame:
    """The tables of these texts, one under the other; `prefixes` says that each is only the beginning of one.

    InputError for a text that cannot be scored; ModelError where words cannot be told apart.
    """
    if by not in BY:
        raise PolicyError(unknown("kind of row", by, BY))
    pieces = pieces_of(predictor.tokenizer)
    asked = [_read(text, recipe, _symbol(predictor, pieces), prefixes) for text in texts]
    distinct = list(dict.fromkeys(one.text for one in asked if one.text))
    found = predictor.score([Request("", text) for text in distinct], _EXTRAS)
    scores = {"": _NOTHING, **dict(zip(distinct, found, strict=True))}
    if by == "word":
        return pd.DataFrame(_by_word(asked, scores, recipe, predictor), columns=["sentence", *PUBLISHED])
    return pd.DataFrame(_by_piece(asked, scores, predictor), columns=["sentence", *PUBLISHED, "entropy_bits"])


def _symbol(predictor: Predictor, pieces: Pieces) -> str:
    """How the end of a text is written; empty if the model has no symbol for it."""
    end = predictor.tokenizer.end
    return "" if end is None else pieces.shown[end]


def _read(typed: str, recipe: Recipe, symbol: str, prefix: bool) -> _Asked:
    text = recipe.request(Request("", typed)).text.rstrip()
    if symbol and text.split()[-1:] == [symbol]:
        return _Asked(text.removesuffix(symbol).rstrip(), symbol)
    return _Asked(text, None if prefix else "")


def _by_piece(asked: Sequence[_Asked], scores: Mapping[str, TokenScores], predictor: Predictor) -> _Rows:
    pieces, id_of = pieces_of(predictor.tokenizer), predictor.tokenizer.backend.token_to_id
    lasts = {text: row for row, text in enumerate(dict.fromkeys(one.text for one in asked if one.last != ""))}
    after = predictor.expect([scores[text].ids for text in lasts], 1) if lasts else None
    for number, (text, last) in enumerate(((one.text, one.last) for one in asked), start=1):
        said = scores[text]
        shown = [_start(predictor, pieces), *(pieces.shown[id] for id in said.ids)]
        for place, (top, entropy) in enumerate(zip(said.tops or (), said.entropies or (), strict=True)):
            if top:  # else nothing predicts it
                (name, value), ref = top[0], said.logprobs[place]
                predicted = pieces.shown[int(id_of(name) or 0)]
                yield number, shown[place], shown[place + 1], predicted, ref, value, measures.bits(entropy)
        if last != "" and after is not None:
            row = after.row(lasts[text])
            ref, entropy = row.eos_logprobs[0] if last else UNSCORED, measures.bits(row.entropies[0])
            yield number, shown[-1], last, pieces.shown[row.ids[0, 0]], ref, float(row.logprobs[0, 0]), entropy


def _by_word(
    asked: Sequence[_Asked], scores: Mapping[str, TokenScores], recipe: Recipe, predictor: Predictor
) -> _Rows:
    steps = [
        (number, *step)
        for number, one in enumerate(asked, start=1)
        for step in _steps(one, scores[one.text], recipe.policy, predictor)
    ]
    *_, prefixes, lengths = zip(*steps, strict=True) if steps else ((), ())
    answers = top_words(predictor, prefixes, 1, recipe.policy, lengths=lengths)
    for (number, token, ref, value, *_), answer in zip(steps, answers, strict=True):
        best = answer.words[0] if answer.words else None
        yield number, token, ref, best.text if best else None, value, best.logprob if best else UNSCORED


def _steps(
    one: _Asked, said: TokenScores, policy: Policy, predictor: Predictor
) -> Iterator[tuple[str, str | None, float, str, int]]:
    """For each word what stands before it, the word, its log-probability, the text up to it, and in how long a text.

    The length counts only where windows depend on it, so that beginnings which texts share are asked for once.
    """
    pieces = pieces_of(predictor.tokenizer)
    before = _start(predictor, pieces)
    length = len(said.ids) if len(said.ids) > predictor.window else 0
    for place, word in enumerate(words(said, one.text, policy) if one.text else ()):
        shown = _shown(word, said, pieces, predictor.tokenizer.unknown)
        if place or predictor.start is not None:
            yield before, shown, word.value, one.text[: word.span[0]].rstrip(), length
        before = shown
    if one.last:
        end = word_end(said, policy, pieces) if joint(one.text, pieces.whole) else 0.0
        yield before, one.last, (said.eos_logprobs or (UNSCORED,))[-1] - end, one.text, length
    elif one.last is None:
        yield before, None, UNSCORED, one.text, length


def _start(predictor: Predictor, pieces: Pieces) -> str:
    return "" if predictor.start is None else pieces.shown[predictor.start]


def _shown(word: Word, said: TokenScores, pieces: Pieces, unknown: int | None) -> str:
    """The word as the model sees it."""
    ids = [said.ids[token] for token in word.tokens]
    return "".join(pieces.shown[id] for id in ids).lstrip("·") if unknown in ids else word.text

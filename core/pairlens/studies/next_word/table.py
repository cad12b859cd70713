"""The published table: for each sentence a row per position, from the start symbol on, by piece or by word.

Its columns are described in docs/commands.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from pairlens import measures
from pairlens.errors import PolicyError, unknown
from pairlens.policies import Policy
from pairlens.scoring.recipe import Recipe
from pairlens.studies.next_word.pieces import Pieces, pieces_of, read_prefix
from pairlens.studies.next_word.top_words import NOTHING, top_words
from pairlens.text.joining import joint
from pairlens.text.words import words
from pairlens.types import UNSCORED, Extras, Predictor, Request, TokenScores

PUBLISHED = ("token", "ref_next", "pred_next", "ref_prob", "pred_prob")
BY = ("piece", "word")

_EXTRAS = Extras(boundary=True, entropy=True, top=1)
_Rows = Iterator[tuple[object, ...]]


class _Text(NamedTuple):
    """A text as the model reads it. `last` follows it: the end symbol, None if unknown, empty if not predicted."""

    text: str
    last: str | None


def next_word_table(
    texts: Sequence[str], recipe: Recipe, predictor: Predictor, *, by: str = "piece", prefixes: bool = False
) -> pd.DataFrame:
    """The tables of these texts, concatenated; with `prefixes`, each is only the beginning of a text.

    InputError for a text that cannot be scored; ModelError where words cannot be told apart.
    """
    if by not in BY:
        raise PolicyError(unknown("kind of row", by, BY))
    pieces = pieces_of(predictor.tokenizer)
    end = predictor.tokenizer.end
    read = [_read(text, recipe, "" if end is None else pieces.shown[end], prefixes) for text in texts]
    distinct = list(dict.fromkeys(one.text for one in read if one.text))
    answers = predictor.score([Request("", text) for text in distinct], _EXTRAS)
    scores = {"": NOTHING, **dict(zip(distinct, answers, strict=True))}
    if by == "word":
        return pd.DataFrame(_by_word(read, scores, recipe, predictor), columns=["sentence", *PUBLISHED])
    return pd.DataFrame(_by_piece(read, scores, predictor), columns=["sentence", *PUBLISHED, "entropy_bits"])


def _read(typed: str, recipe: Recipe, end: str, prefix: bool) -> _Text:
    """`end` is the end symbol as displayed, empty for a model without one."""
    text = read_prefix(typed, recipe)
    if end and text.split()[-1:] == [end]:
        return _Text(text.removesuffix(end).rstrip(), end)
    return _Text(text, None if prefix else "")


def _by_piece(texts: Sequence[_Text], scores_of: Mapping[str, TokenScores], predictor: Predictor) -> _Rows:
    pieces, id_of = pieces_of(predictor.tokenizer), predictor.tokenizer.backend.token_to_id
    lasts = {text: row for row, text in enumerate(dict.fromkeys(text.text for text in texts if text.last != ""))}
    after = predictor.expect([scores_of[text].ids for text in lasts], 1) if lasts else None
    for number, one in enumerate(texts, start=1):
        scores = scores_of[one.text]
        shown = [_start(predictor, pieces), *(pieces.shown[id] for id in scores.ids)]
        for place, (top, entropy) in enumerate(zip(scores.tops or (), scores.entropies or (), strict=True)):
            if top:  # else nothing predicts it
                (name, value), ref = top[0], scores.logprobs[place]
                predicted = pieces.shown[int(id_of(name) or 0)]
                yield number, shown[place], shown[place + 1], predicted, ref, value, measures.bits(entropy)
        if one.last != "" and after is not None:
            row = after.row(lasts[one.text])
            ref, entropy = row.eos_logprobs[0] if one.last else UNSCORED, measures.bits(row.entropies[0])
            yield number, shown[-1], one.last, pieces.shown[row.ids[0, 0]], ref, float(row.logprobs[0, 0]), entropy


def _by_word(
    texts: Sequence[_Text], scores: Mapping[str, TokenScores], recipe: Recipe, predictor: Predictor
) -> _Rows:
    steps = [
        (number, *step)
        for number, one in enumerate(texts, start=1)
        for step in _steps(one, scores[one.text], recipe.policy, predictor)
    ]
    *_, prefixes, lengths = zip(*steps, strict=True) if steps else ((), ())
    answers = top_words(predictor, prefixes, 1, recipe.policy, lengths=lengths)
    for (number, token, ref, value, *_), answer in zip(steps, answers, strict=True):
        best = answer.words[0] if answer.words else None
        yield number, token, ref, best.text if best else None, value, best.logprob if best else UNSCORED


def _steps(
    one: _Text, scores: TokenScores, policy: Policy, predictor: Predictor
) -> Iterator[tuple[str, str | None, float, str, int]]:
    """For each word: the one before it, it, its log-probability, the text before, its length if windows need it."""
    pieces = pieces_of(predictor.tokenizer)
    before = _start(predictor, pieces)
    length = len(scores.ids) if len(scores.ids) > predictor.window else 0
    for place, word in enumerate(words(scores, one.text, policy) if one.text else ()):
        ids = [scores.ids[token] for token in word.tokens]
        written = "".join(pieces.shown[id] for id in ids).lstrip("·")
        shown = written if predictor.tokenizer.unknown in ids else word.text
        if place or predictor.start is not None:
            yield before, shown, word.value, one.text[: word.span[0]].rstrip(), length
        before = shown
    if one.last:
        end = pieces.word_end(scores, policy) if joint(one.text, pieces.whole) else 0.0
        yield before, one.last, (scores.eos_logprobs or (UNSCORED,))[-1] - end, one.text, length
    elif one.last is None:
        yield before, None, UNSCORED, one.text, length


def _start(predictor: Predictor, pieces: Pieces) -> str:
    return "" if predictor.start is None else pieces.shown[predictor.start]

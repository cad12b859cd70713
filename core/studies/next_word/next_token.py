"""What a model expects at each position of a prefix: pieces, whole words, and its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import measures
from core.errors import ModelError, PolicyError
from core.policies import Policy
from core.studies.next_word.pieces import Pieces, pieces_of
from core.studies.next_word.top_words import LIMIT, TopWords, top_words
from core.types import Expected, Extras, Predictor, Request

TOP_K = 10
GOES_ON = 0.05
"""A piece is shown with … after it if its word continues at least this often."""
_TOKENS = 40_000
"""Most tokens read in the search for whole words: after long prefixes it visits fewer beginnings of words."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTokens:
    """What is expected after `text`, a prefix up to one of its positions.

    `pieces`: rank, piece (a leading space is written ·, … follows where the word may well continue), adds (the text
    that it adds, empty if it cannot be added), probability, goes_on (the probability that the word continues, NaN
    where the vocabulary does not say). `words` are whole words; without any, `no_words` gives the reason. `entropy`
    is in bits, over tokens.
    """

    text: str
    pieces: pd.DataFrame
    words: TopWords | None
    no_words: str
    entropy: float


def places(prefix: str, predictor: Predictor) -> pd.DataFrame:
    """The uncertainty at each position of a prefix (as the model reads it), from the start symbol on.

    Columns: position (the number of pieces before it), label (the last of them), text (the prefix up to there),
    entropy (bits, over tokens). Without a start symbol there is no position before the first piece.
    """
    shown = pieces_of(predictor.tokenizer).shown
    rows: list[tuple[int, str, str]] = []
    entropies: list[float] = []
    if predictor.start is not None:
        rows.append((0, shown[predictor.start], ""))
    ids: tuple[int, ...] = ()
    if prefix:
        (scores,) = predictor.score([Request("", prefix)], Extras(entropy=True))
        ids = scores.ids
        cuts = zip(ids, scores.spans, strict=True)
        rows += [(place, shown[id], prefix[:end]) for place, (id, (_, end)) in enumerate(cuts, start=1)]
        entropies += [value for value in scores.entropies or () if not math.isnan(value)]
    entropies.append(predictor.expect([ids], 1).entropies[0])
    frame = pd.DataFrame(rows, columns=["position", "label", "text"])
    return frame.assign(entropy=measures.bits(np.asarray(entropies)))


def next_tokens(prefix: str, position: int, predictor: Predictor, policy: Policy) -> NextTokens:
    """What is expected after the first `position` pieces of a prefix (as the model reads it)."""
    encoding = predictor.tokenizer.backend.encode(prefix, add_special_tokens=False)
    ids = tuple(encoding.ids[:position])
    text = prefix[: encoding.offsets[position - 1][1]] if position else ""
    expected = predictor.expect([ids], TOP_K)
    words, no_words = None, ""
    try:
        limit = min(LIMIT, max(2 * TOP_K, _TOKENS // (len(ids) + 1)))
        (words,) = top_words(predictor, [text], TOP_K, policy, limit)
    except (ModelError, PolicyError) as error:
        no_words = str(error)
    pieces = _top_pieces(ids, expected, predictor, policy)
    return NextTokens(text, pieces, words, no_words, measures.bits(expected.entropies[0]))


def _top_pieces(ids: tuple[int, ...], expected: Expected, predictor: Predictor, policy: Policy) -> pd.DataFrame:
    pieces = pieces_of(predictor.tokenizer)
    top: list[int] = expected.ids[0].tolist()
    after = predictor.expect([(*ids, id) for id in top], 1)
    rows = []
    for rank, (id, logprob) in enumerate(zip(top, expected.logprobs[0].tolist(), strict=True), start=1):
        adds = "" if pieces.texts is None or id in predictor.tokenizer.reserved else pieces.texts[id]
        goes_on = _goes_on(after.row(rank - 1), policy, pieces) if adds else math.nan
        shown = pieces.shown[id] + ("…" if goes_on >= GOES_ON else "")
        rows.append((rank, shown, "" if "\ufffd" in adds else adds, measures.probability(logprob), goes_on))
    return pd.DataFrame(rows, columns=["rank", "piece", "adds", "probability", "goes_on"])


def _goes_on(expected: Expected, policy: Policy, pieces: Pieces) -> float:
    """The probability that a word continues; NaN where it is not known."""
    try:
        return max(0.0, 1.0 - measures.probability(pieces.word_end(expected, policy)))
    except (ModelError, PolicyError):
        return math.nan

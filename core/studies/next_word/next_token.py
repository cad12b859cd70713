"""What a model expects at each place of a prefix: pieces, whole words, and how sure it is."""

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
from core.studies.next_word.word_ends import word_end
from core.types import Expected, Extras, Predictor, Request

TOP_K = 10
GOES_ON = 0.05
"""A piece after which the word goes on at least this often is shown with … after it."""
_TOKENS = 40_000
"""Tokens that may be read in the search for whole words: long prefixes get fewer beginnings of words."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTokens:
    """What is expected after `text`, a prefix up to one of its places.

    `pieces`: rank, piece (a leading space is written ·, … follows where the word may well go on), adds (the text that
    it adds, empty if it cannot be added), probability, goes_on (how probably the word goes on after it, NaN where the
    vocabulary does not say). `words` are whole words; without any, `no_words` says why. `entropy` is in bits, over
    pieces.
    """

    text: str
    pieces: pd.DataFrame
    words: TopWords | None
    no_words: str
    entropy: float


def places(prefix: str, predictor: Predictor) -> pd.DataFrame:
    """The uncertainty at each place of a prefix (as the model reads it), from the start symbol on.

    Columns: position (the number of pieces before the place), label (the last of them), text (the prefix up to the
    place), entropy (bits, over pieces). Without a start symbol there is no place before the first piece.
    """
    shown = pieces_of(predictor.tokenizer).shown
    rows: list[tuple[int, str, str]] = []
    entropies: list[float] = []
    if predictor.start is not None:
        rows.append((0, shown[predictor.start], ""))
    ids: tuple[int, ...] = ()
    if prefix:
        (said,) = predictor.score([Request("", prefix)], Extras(entropy=True))
        ids = said.ids
        cuts = zip(ids, said.spans, strict=True)
        rows += [(place, shown[id], prefix[:end]) for place, (id, (_, end)) in enumerate(cuts, start=1)]
        entropies += [value for value in said.entropies or () if not math.isnan(value)]
    entropies.append(predictor.expect([ids], 1).entropies[0])
    frame = pd.DataFrame(rows, columns=["position", "label", "text"])
    return frame.assign(entropy=measures.bits(np.asarray(entropies)))


def next_tokens(prefix: str, position: int, predictor: Predictor, policy: Policy) -> NextTokens:
    """What is expected after the first `position` pieces of a prefix (as the model reads it)."""
    encoding = predictor.tokenizer.backend.encode(prefix, add_special_tokens=False)
    ids = tuple(encoding.ids[:position])
    text = prefix[: encoding.offsets[position - 1][1]] if position else ""
    said = predictor.expect([ids], TOP_K)
    words, no_words = None, ""
    try:
        limit = min(LIMIT, max(2 * TOP_K, _TOKENS // (len(ids) + 1)))
        (words,) = top_words(predictor, [text], TOP_K, policy, limit)
    except (ModelError, PolicyError) as error:
        no_words = str(error)
    pieces = _likeliest_pieces(ids, said, predictor, policy)
    return NextTokens(text, pieces, words, no_words, measures.bits(said.entropies[0]))


def _likeliest_pieces(ids: tuple[int, ...], said: Expected, predictor: Predictor, policy: Policy) -> pd.DataFrame:
    pieces = pieces_of(predictor.tokenizer)
    likeliest: list[int] = said.ids[0].tolist()
    after = predictor.expect([(*ids, id) for id in likeliest], 1)
    rows = []
    for rank, (id, logprob) in enumerate(zip(likeliest, said.logprobs[0].tolist(), strict=True), start=1):
        adds = "" if pieces.texts is None or id in predictor.tokenizer.reserved else pieces.texts[id]
        goes_on = _goes_on(after.row(rank - 1), policy, pieces) if adds else math.nan
        shown = pieces.shown[id] + ("…" if goes_on >= GOES_ON else "")
        rows.append((rank, shown, "" if "\ufffd" in adds else adds, measures.probability(logprob), goes_on))
    return pd.DataFrame(rows, columns=["rank", "piece", "adds", "probability", "goes_on"])


def _goes_on(said: Expected, policy: Policy, pieces: Pieces) -> float:
    """How probably a word goes on; NaN where that is not known."""
    try:
        return max(0.0, 1.0 - measures.probability(word_end(said, policy, pieces)))
    except (ModelError, PolicyError):
        return math.nan

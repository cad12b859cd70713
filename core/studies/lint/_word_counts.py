"""Word frequencies, from the word counts that are installed."""

from __future__ import annotations

import logging
import math
from collections.abc import Collection, Iterator, Mapping, Sequence

import pandas as pd

from core.errors import ModelError
from core.models import catalogue
from core.models.unigram import split_words
from core.policies import Policy
from core.scorers import SCORERS
from core.types import Request, Scorer

_KNOWN = 0.9
"""Counts of a language cover nearly all words of a text in it, those of a related language far fewer."""
_COMMON = 1e-6
"""The share of all words that makes a word known: novels quote every language."""
_LOOKED_AT = 1000
_UNHEARD = "\ue000"
"""A private-use character, which occurs in no text that was counted."""


def log_frequencies(texts: pd.Series, words: Collection[str]) -> Mapping[str, float]:
    """The natural logarithm of the relative frequency of each word, from the counts that fit the texts best.

    Words that were never counted are missing. Empty if no counts fit: fewer than `_KNOWN` of the texts' words are
    common in them.
    """
    sample = texts.iloc[:: max(1, len(texts) // _LOOKED_AT)]
    running = [word for text in sample for word in split_words(text) if word.isalpha()]
    best, share = None, 0.0
    for scorer in _word_counts():
        known = _logprobs(scorer, sorted(set(running)))
        common = sum(known[word] > math.log(_COMMON) for word in running) / max(len(running), 1)
        if common > share:
            best, share = scorer, common
    if best is None or share < _KNOWN:
        return {}
    unseen = _logprobs(best, [_UNHEARD])[_UNHEARD]
    return {word: value for word, value in _logprobs(best, sorted(words)).items() if value > unseen}


def _word_counts() -> Iterator[Scorer]:
    """All installed word counts; damaged ones are skipped with a warning in the log."""
    for model in catalogue():
        if model.kind == "unigram":
            try:
                yield SCORERS["unigram"].open(model, Policy())
            except ModelError as error:
                logging.getLogger(__name__).warning("left out of the word frequencies: %s", error)


def _logprobs(scorer: Scorer, words: Sequence[str]) -> dict[str, float]:
    """The log-probabilities of those words that the counts treat as one word."""
    single = [word for word in words if len(split_words(word)) == 1]
    scores = scorer.score([Request("", word) for word in single])
    return {word: one.total for word, one in zip(single, scores, strict=True)}

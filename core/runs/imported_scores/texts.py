"""The content of a file of scores: a table of texts, and each text's tokens and log-probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.errors import InputError
from core.types import UNSCORED, Span, TokenScores

if TYPE_CHECKING:
    import pandas as pd

_ROUNDING = 1e-4
"""Nats by which a log-probability may exceed 0: sums in single precision."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A file's texts, their scores, the model's name, its kind (causal, masked or empty), and the policy.

    `table` has one row per pair (`good`, `bad`) or per sentence (`sentence`), and any other columns of the file.
    `scores` are by text, as are the reasons in `refused` for texts without scores. `weights` (sha256) and `revision`
    are empty where they are not stated. `about` is other provenance: device, versions, time.
    """

    table: pd.DataFrame
    scores: Mapping[str, TokenScores]
    model: str
    kind: str = ""
    revision: str = ""
    weights: str = ""
    policy: Mapping[str, object] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)


def token_scores(
    text: str,
    tokens: Sequence[str],
    ids: Sequence[int],
    spans: Sequence[Span],
    logprobs: Iterable[float | None],
    where: str,
) -> TokenScores:
    """These columns as scores; InputError, with the place, if they cannot be the tokens of this text."""
    values = tuple(UNSCORED if value is None else float(value) for value in logprobs)
    if not tokens or not len(tokens) == len(ids) == len(spans) == len(values):
        raise InputError("its lists of tokens are empty, or of different lengths", where)
    for (start, end), (begins, _) in zip(spans, [(0, 0), *spans[:-1]], strict=True):
        if not begins <= start <= end <= len(text):
            raise InputError(f"a token at characters {start} to {end} is not in the text, or out of order", where)
    for value in values:
        if math.isinf(value) or value > _ROUNDING:
            raise InputError(f"{value} is no log-probability (0 or less, not infinite; missing if not scored)", where)
    return TokenScores(tuple(tokens), tuple(ids), values, tuple(spans))


def add(scores: dict[str, TokenScores], text: str, found: TokenScores, where: str) -> None:
    """Add a text's scores; InputError if the file has other scores for it, of another model or policy."""
    known = scores.setdefault(text, found)
    same = known.tokens == found.tokens and all(
        a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= _ROUNDING
        for a, b in zip(known.logprobs, found.logprobs, strict=True)
    )
    if not same:
        raise InputError(
            "this text stands in the file with other scores too: they must be of one model and policy", where
        )

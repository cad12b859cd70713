"""The readings of a text as token scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import NoScoreError
from core.scorers._encoding import Encoded
from core.scorers._measuring import AT_ENDS, Readings
from core.types import UNSCORED, Extras, TokenScores

_PER_TOKEN = ("entropies", "ranks")
_Name = Callable[[int], str | None]


def token_scores(encoded: Encoded, readings: Readings, name: _Name, extras: Extras, unread: int = 0) -> TokenScores:
    """The scores of a continuation whose first `unread` tokens nothing predicts.

    `name` gives the token of an id among the top ones. An unread token is unscored: its entropy is NaN, its rank 0,
    and it has no top tokens. Ends of words and texts that were requested but not read are undefined: NaN.
    InputError if the network gave a token no number, which would be taken for an unscored one.
    """
    part = slice(encoded.first, encoded.stop)
    ids = encoded.ids[part]
    n = len(ids)
    check_numbers(readings["logprobs"][: n - unread])  # what follows is read at the end of the text
    columns = {name: _column(values, unread) for name, values in readings.items() if values.ndim == 1}
    found: dict[str, Any] = {name: tuple(columns[name][:n].tolist()) for name in _PER_TOKEN if name in columns}
    if extras.boundary:
        undefined = np.full(n + 1, UNSCORED)
        found |= {name: tuple(columns.get(name, undefined).tolist()) for name in AT_ENDS}
    if extras.top:
        found["tops"] = ((),) * unread + _tops(readings, n - unread, name)
    if extras.temperatures:
        tempered = zip(extras.temperatures, readings["tempered"].T, strict=True)
        found["tempered"] = {value: tuple(_column(column, unread)[:n].tolist()) for value, column in tempered}
    return TokenScores(
        tokens=encoded.tokens[part],
        ids=ids,
        logprobs=tuple(columns["logprobs"][:n].tolist()),
        spans=encoded.spans[part],
        n_straddling=encoded.n_straddling,
        **found,
    )


def check_numbers(logprobs: NDArray[np.generic]) -> None:
    """NoScoreError if there are values among these that are no numbers; minus infinity, of probability 0, is one."""
    if bad := int(np.isnan(logprobs).sum()):
        raise NoScoreError(
            f"no finite score for {bad:,} of {logprobs.size:,} tokens: the model's weights are damaged, or its "
            "numbers are too large for this precision (dtype)."
        )


def _column(values: NDArray[np.generic], unread: int) -> NDArray[np.generic]:
    gap = 0 if values.dtype.kind == "i" else np.nan
    return np.concatenate([np.full(unread, gap, dtype=values.dtype), values])


def _tops(readings: Readings, n: int, name: _Name) -> tuple[tuple[tuple[str, float], ...], ...]:
    rows = zip(readings["top_ids"][:n].tolist(), readings["top_logprobs"][:n].tolist(), strict=True)
    return tuple(
        tuple((name(id) or f"<{id}>", value) for id, value in zip(ids, values, strict=True)) for ids, values in rows
    )

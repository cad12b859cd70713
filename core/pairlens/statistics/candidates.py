"""The candidate table: which of its columns are groups, and what its candidates are compared by."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.policies import Policy
from pairlens.types import Item

COLUMNS = ("item", "candidate", "label", "gold", "context", "text", "logprob", "n_tokens", "n_scored", "n_straddling")
"""The table's own columns (`pairlens.metrics`); all others are groups."""

Reals = NDArray[np.float64]


def rows_of(item: Item, logprobs: Sequence[float]) -> Iterator[dict[str, object]]:
    """The rows of an item whose candidates' log-probabilities were made elsewhere: tokens are not counted, so 0."""
    for number, (candidate, logprob) in enumerate(zip(item.candidates, logprobs, strict=True)):
        yield {
            "item": item.id,
            "candidate": number,
            "label": candidate.label,
            "gold": item.gold,
            "context": candidate.context,
            "text": candidate.text,
            "logprob": logprob,
            "n_tokens": 0,
            "n_scored": 0,
            "n_straddling": 0,
            **item.groups,
        }


def group_columns(candidates: pd.DataFrame) -> list[str]:
    """The columns of a candidate table that say where an item belongs."""
    return [name for name in candidates.columns if name not in COLUMNS]


def sentence_values(candidates: pd.DataFrame, policy: Policy) -> Reals:
    """Per row, summed log-probability or its mean per scored token (`one`: and the certain first), in nats."""
    totals = reals(candidates["logprob"])
    if policy.sentence_value == "sum":
        return totals
    count = "n_tokens" if policy.first_token == "one" else "n_scored"
    return totals / reals(candidates[count])


def reals(column: pd.Series) -> Reals:
    """A column of numbers, NaN where one is missing."""
    return np.asarray(column.to_numpy(np.float64, na_value=np.nan), np.float64)

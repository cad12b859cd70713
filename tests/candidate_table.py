"""Candidate tables for tests: items scored by a function instead of a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pandas as pd

from pairlens.types import Candidate, Item

Score = tuple[float, int]
"""Summed log-probability in nats, and the number of scored tokens."""


def candidate_table(items: Iterable[Item], score: Callable[[Item, Candidate], Score]) -> pd.DataFrame:
    """One row per item and candidate, with the columns of `pairlens.metrics`."""
    rows = []
    for item in items:
        for number, candidate in enumerate(item.candidates):
            logprob, n_scored = score(item, candidate)
            rows.append(
                {
                    "item": item.id,
                    "candidate": number,
                    "label": candidate.label,
                    "gold": item.gold,
                    "context": candidate.context,
                    "text": candidate.text,
                    "logprob": logprob,
                    "n_tokens": n_scored,
                    "n_scored": n_scored,
                    "n_straddling": 0,
                    **item.groups,
                }
            )
    return pd.DataFrame(rows)


def item(name: str, n: int, **groups: str) -> Item:
    """An item with `n` candidates; the first is right."""
    candidates = tuple(Candidate(f"{name} text {number}", f"option {number}") for number in range(n))
    return Item(name, candidates, "option 0", {"UID": "paradigm", **groups})

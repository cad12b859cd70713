"""Pairs whose texts differ in length, and how often the shorter text is the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from core.studies.lint._check import Found, found, per_cent
from core.studies.lint._one_sided import wins


def unequal(pairs: pd.DataFrame, length: Callable[[str], int], unit: str) -> Found | None:
    """The pairs of unequal length in `unit`, and the accuracy of always choosing the shorter text."""
    if pairs.empty:
        return None
    pairs = lengths(pairs, length)
    rows = pairs[pairs["n_right"] != pairs["n_wrong"]]
    accuracy = wins(pairs["n_wrong"], pairs["n_right"]).mean()
    predicate = (
        f"have texts with different numbers of {unit}; choosing the one with fewer {unit} would be right in "
        f"{per_cent(accuracy)} of all pairs"
    )

    def what(row: Any) -> str:
        return f"{row.n_right:,} {unit} in the right text, {row.n_wrong:,} in the wrong one"

    return found(rows, len(pairs), "pair", predicate, what)


def lengths(pairs: pd.DataFrame, length: Callable[[str], int]) -> pd.DataFrame:
    """The pairs with `n_right` and `n_wrong`; each distinct text is measured once."""
    right, wrong = pairs["right"].tolist(), pairs["wrong"].tolist()
    known = {text: length(text) for text in {*right, *wrong}}
    return pairs.assign(n_right=[known[text] for text in right], n_wrong=[known[text] for text in wrong])

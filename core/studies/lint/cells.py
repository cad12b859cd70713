"""Conditions of an experiment with unequal numbers of sentences."""

from __future__ import annotations

import pandas as pd

from core.messages import counted as plural
from core.studies.lint._check import Check, Found, about_all, counted
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    if stimuli.design is None:
        return None
    factors = stimuli.design.factors
    counts = _counts(stimuli.design.sentences, factors)
    if len(counts) < 2:
        return None
    most = counts.max()
    short = counts[counts < most]
    whats = [f"{_named(factors, cell)} has {count:,}" for cell, count in short.items()]
    predicate = f"have fewer than the {plural(int(most), 'sentence')} of the fullest one"
    return about_all(whats, len(counts), counted(len(short), len(counts), "condition", predicate))


def _counts(sentences: pd.DataFrame, factors: list[str]) -> pd.Series:
    """Sentences by combination of the factors' values; 0 for one that never occurs."""
    if not factors:
        return pd.Series(dtype="int64")
    counts = sentences.groupby(factors, sort=False).size()
    if len(factors) == 1:
        counts.index = pd.MultiIndex.from_arrays([counts.index])
    every = pd.MultiIndex.from_product([sentences[name].unique() for name in factors])
    return counts.reindex(every, fill_value=0)


def _named(factors: list[str], cell: object) -> str:
    values = cell if isinstance(cell, tuple) else (cell,)
    return ", ".join(f"{name} {value}" for name, value in zip(factors, values, strict=True))


CHECK = Check(
    name="cells",
    title="Unbalanced conditions",
    severity="warning",
    meaning="Means over different items differ because of the items, too.",
    find=_find,
)

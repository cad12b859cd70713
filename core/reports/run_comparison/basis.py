"""Which items two runs share: all of them, some, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd

from core.analysis.paired import QUESTION
from core.reports.run_comparison.chosen import Run

SAME, SHARED, APART = "same", "shared", "apart"


@dataclass(frozen=True)
class Basis:
    """What two runs can be compared by.

    `kind` is `same` (one question: every item of one is in the other), `shared` (they have `n` items with the same id
    and the same texts) or `apart` (none: only two independent numbers stand beside each other). `others` names what
    differs in the question. `first` and `second` are the candidate tables of the items in both, empty if apart.
    """

    kind: str
    n: int
    others: tuple[str, ...]
    first: pd.DataFrame
    second: pd.DataFrame


def basis(first: Run, second: Run) -> Basis:
    """What two runs of one task have in common."""
    others = differing(first, second)
    a, b = first.candidates, second.candidates
    if not others:
        return Basis(SAME, a["item"].nunique(), (), a, b)
    if first.task.confidential:  # no texts are stored, and keys differ from model to model
        return Basis(APART, 0, others, a.head(0), b.head(0))
    contents = pd.concat([contents_of(a), contents_of(b)], axis=1, join="inner")
    alike = contents.index[contents.iloc[:, 0] == contents.iloc[:, 1]]
    kept = (table[table["item"].isin(alike)].reset_index(drop=True) for table in (a, b))
    return Basis(SHARED if len(alike) else APART, len(alike), others, *kept)


def differing(first: Run, second: Run) -> tuple[str, ...]:
    """What differs in the question that two runs of one task asked, in words."""
    return tuple(words for field, words in QUESTION.items() if _asked(first, field) != _asked(second, field))


def contents_of(candidates: pd.DataFrame) -> pd.Series:
    """By item, a number that stands for its candidates: their order, labels and texts, and which of them is right."""
    texts = candidates[["label", "gold", "context", "text"]].astype(object).fillna("")
    rows = pd.util.hash_pandas_object(texts, index=False).to_numpy()
    places = candidates["candidate"].to_numpy(np.uint64) * np.uint64(2) + np.uint64(1)
    return pd.Series(rows * places, candidates["item"]).groupby(level=0).sum()


def _asked(run: Run, field: str) -> object:
    return run.rule if field == "rule" else run.manifest.get(field)


_OF_JUDGEMENT = ("sentence_value", "ties", "first_token")
"""Choices that move numbers although scores are the same: `one` and `none` differ in averages only."""


@dataclass(frozen=True, slots=True)
class Twins:
    """Two runs whose weights are the same files, under two names or with the same scores.

    `scores`: whether everything that determines a log-probability is the same (the fingerprint). `expected`: whether
    the same question was asked too, so that all numbers must be the same; `alike` says whether they are.
    """

    first: Run
    second: Run
    scores: bool
    expected: bool
    alike: bool


def twins(runs: Sequence[Run]) -> list[Twins]:
    """Every two of these runs that are twins, in order.

    One model under one name is no surprise if it was scored in two ways, or asked about other items.
    """
    pairs = [_compared(one, other) for one, other in combinations(runs, 2) if _same(one, other, "weights")]
    return [two for two in pairs if _surprising(two)]


def _surprising(two: Twins) -> bool:
    same_name = two.first.manifest["model"] == two.second.manifest["model"]
    return not same_name or (two.scores and not differing(two.first, two.second))


def _compared(one: Run, other: Run) -> Twins:
    scores = _same(one, other, "fingerprint")
    judged = all(getattr(one.policy, name) == getattr(other.policy, name) for name in _OF_JUDGEMENT)
    expected = scores and judged and not differing(one, other)
    columns = ["name", "group_by", "group", "over", "value", "n"]
    tables = [run.metrics[columns].sort_values(columns[:4]).reset_index(drop=True) for run in (one, other)]
    return Twins(one, other, scores, expected, expected and tables[0].equals(tables[1]))


def _same(one: Run, other: Run, field: str) -> bool:
    return bool(one.manifest[field]) and one.manifest[field] == other.manifest[field]

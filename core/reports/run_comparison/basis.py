"""Which items two runs share: all of them, some, or none."""

from __future__ import annotations

from dataclasses import dataclass

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

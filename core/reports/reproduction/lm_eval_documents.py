"""A run's items as documents of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.analysis.forms import is_right

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Documents:
    """`columns` maps lm_eval's options to columns; the `logprobs` of a document are the run's, in the choices' order.

    `choosing`: whether documents have a right choice, so that there is an accuracy.
    """

    rows: Sequence[Document]
    columns: Mapping[str, str]

    @property
    def choosing(self) -> bool:
        return "doc_to_choice" in self.columns


_TEXTS = {"doc_to_text": "context", "doc_to_choice": "choices", "doc_to_target": "gold"}
_CONTEXTS = {"doc_to_text": "gold", "doc_to_choice": "choices", "doc_to_target": "target"}
_SINGLE = {"doc_to_text": "context", "doc_to_target": "target"}


def documents(texts: pd.DataFrame, *, ties: str) -> Documents:
    """The documents of a run's requests (`core.runs.requested`).

    Items with one right text become choices between texts after one context, or between contexts before one text, if
    all of them are of that kind; otherwise every text is a document of its own. Among equal scores, lm_eval takes the
    first choice: the right one comes first, or last if `ties` count as wrong. Unscored texts are left out.
    """
    right = is_right(texts)
    marked = texts.assign(right=right, known=texts["logprob"].notna())
    counts = {"n": ("right", "size"), "right": ("right", "sum"), "known": ("known", "all")}
    items = marked.groupby("item", sort=False).agg(
        **counts, contexts=("context", "nunique"), continuations=("text", "nunique")
    )
    items = items[(items["n"] > 1) & (items["right"] == 1) & items["known"]]
    rows = marked[marked["item"].isin(items.index)].sort_values("right", ascending=ties == "wrong", kind="stable")
    if len(items) and (items["contexts"] == 1).all():
        return Documents(_choices(rows, items.index, "text", "context", "context"), _TEXTS)
    if len(items) and (items["continuations"] == 1).all():
        return Documents(_choices(rows, items.index, "context", "text", "target"), _CONTEXTS)
    return Documents(_single(texts[texts["logprob"].notna()]), _SINGLE)


def _choices(rows: pd.DataFrame, items: pd.Index, varying: str, shared: str, name: str) -> list[Document]:
    lists = rows.groupby("item", sort=False).agg(
        choices=(varying, list), shared=(shared, "first"), right=("right", list), logprobs=("logprob", list)
    )
    return [
        {"item": item, name: one, "choices": choices, "gold": right.index(True), "logprobs": logprobs}
        for item, choices, one, right, logprobs in lists.loc[items].itertuples(name=None)
    ]


def _single(texts: pd.DataFrame) -> list[Document]:
    columns = texts[["item", "candidate", "context", "text", "logprob"]]
    return [
        {"item": item, "candidate": int(candidate), "context": context, "target": text, "logprobs": [logprob]}
        for item, candidate, context, text, logprob in columns.itertuples(index=False, name=None)
    ]


def accuracy(rows: Sequence[Document]) -> float:
    """lm_eval's `acc` for the run's scores."""
    return float(np.mean([int(np.argmax(row["logprobs"])) == row["gold"] for row in rows]))

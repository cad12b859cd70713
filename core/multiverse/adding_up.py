"""Candidate tables (`core.metrics`) whose `logprob` is what a way compares: everything a query on stored scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.metrics._candidates import reals
from core.multiverse.layout import Layout
from core.multiverse.unigrams import Unigrams, unigrams_of
from core.multiverse.ways import BY_LENGTH, Way
from core.policies import Policy
from core.rules import RULES
from core.store import Store
from core.store.token_sums import token_sums
from core.types import Request
from core.words import word_spans

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Compared:
    """What a way compares: a candidate table, and the policy to look at it with; or why there is nothing."""

    candidates: pd.DataFrame
    policy: Policy
    reason: str = ""


class Scores:
    """The stored scores of a layout's ways, each run read once."""

    def __init__(self, layout: Layout, store: Store) -> None:
        self._layout, self._store = layout, store
        self._tables: dict[tuple[str, bool], pd.DataFrame] = {}
        self._unigrams: Unigrams | str | None = None

    @property
    def unigrams(self) -> Unigrams | str:
        """What SLOR is made with, or why there is none."""
        if self._unigrams is None:
            model = self._layout.model
            self._unigrams = unigrams_of(model) if model else self._layout.absent
        return self._unigrams

    def compared(self, way: Way) -> Compared:
        """The candidates of a stored way.

        Means per word and character are over the whole text, without white space around it; words as in `core.words`.
        """
        run_id = self._layout.run_of(way)
        table = self._candidates(run_id, RULES[way.rule].ends)
        policy = way.policy.but(ties=self._layout.policy.ties)
        if way.added_up not in BY_LENGTH:
            return Compared(table, policy)
        if table["text"].isna().any():
            return Compared(table, policy, "Its texts are confidential and not kept.")
        if way.added_up == "slor":
            baseline = self._baseline(way, table, run_id)
            if isinstance(baseline, str):
                return Compared(table, policy, baseline)
            return Compared(_divided(table, baseline, reals(table["n_scored"])), policy)
        count = _words if way.added_up == "word" else _characters
        return Compared(_divided(table, 0.0, count(_texts(table, way.rule))), policy)

    def _candidates(self, run_id: str, ends: bool) -> pd.DataFrame:
        if (run_id, ends) not in self._tables:
            self._tables[run_id, ends] = self._store.candidates(run_id, ends=ends)
        return self._tables[run_id, ends]

    def _baseline(self, way: Way, table: pd.DataFrame, run_id: str) -> Reals | str:
        """By row, how likely what was scored is without context (nats), or why that is not known."""
        unigrams = self.unigrams
        if isinstance(unigrams, str):
            return unigrams
        if unigrams.by_token is not None:
            items = self._store.items(run_id)
            keys = items.drop_duplicates(["item_id", "candidate"]).set_index(["item_id", "candidate"])["request_key"]
            sums = token_sums(self._store, str(items["fingerprint"].iloc[0]), unigrams.by_token)
            asked = pd.MultiIndex.from_frame(table[["item", "candidate"]])
            of_asked = keys.reindex(asked)
            bare = int((~of_asked.isin(sums.index).to_numpy() & np.isfinite(reals(table["logprob"]))).sum())
            return _sums_alone(bare) if bare else reals(of_asked.map(sums))
        if (table["n_scored"] < table["n_tokens"]).any():
            return "Not every token is scored, and word counts cannot tell which words that leaves out."
        contexts = [""] * len(table) if way.rule == "joint" else table["context"]
        requests = [Request(*pair) for pair in zip(contexts, _texts(table, way.rule), strict=True)]
        return unigrams.of_texts(requests)


def _sums_alone(texts: int) -> str:
    return f"Of {texts:,} texts only the sums over their tokens are kept; zero-shot --rescore keeps the tokens."


def _divided(table: pd.DataFrame, baseline: Reals | float, lengths: Reals) -> pd.DataFrame:
    """The table with values per unit of length, over a baseline."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return table.assign(logprob=(reals(table["logprob"]) - baseline) / np.where(lengths > 0, lengths, np.nan))


def _texts(table: pd.DataFrame, rule: str) -> pd.Series:
    """What the candidates were scored on."""
    return table["context"] + table["text"] if rule == "joint" else table["text"]


def _words(texts: pd.Series) -> Reals:
    return np.array([len(word_spans(text, "previous")) for text in texts], np.float64)


def _characters(texts: pd.Series) -> Reals:
    return np.array([len(text.strip()) for text in texts], np.float64)

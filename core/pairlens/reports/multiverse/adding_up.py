"""Candidate tables (`pairlens.metrics`) with the values that a way compares as `logprob`, queried from stored
scores."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.errors import ModelError, StoreError
from pairlens.evaluation.result import read, scored_texts
from pairlens.policies import Policy
from pairlens.reports.multiverse.layout import BY_LENGTH, Layout, Way
from pairlens.reports.multiverse.unigrams import UNTOLD, Unigrams, unigrams_of
from pairlens.rules import RULES
from pairlens.statistics.candidates import reals
from pairlens.store import Store
from pairlens.store.scores import token_sums
from pairlens.text.words import word_spans
from pairlens.types import Request

Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Compared:
    """The candidate table of a way and the policy that decides on it; or the reason why there is none."""

    candidates: pd.DataFrame
    policy: Policy
    reason: str = ""


class Scores:
    """The stored scores of a layout's ways, each run read once."""

    def __init__(self, layout: Layout, store: Store) -> None:
        self._layout, self._store = layout, store
        self._tables: dict[tuple[str, bool], pd.DataFrame] = {}

    @cached_property
    def unigrams(self) -> Unigrams | str:
        return unigrams_of(self._layout.model) if self._layout.model else self._layout.absent

    def compared(self, way: Way) -> Compared:
        """The candidates of a stored way; means per word and character are over the whole text, stripped."""
        run_id = self._layout.run_of(way)
        key = run_id, RULES[way.rule].ends
        if key not in self._tables:
            self._tables[key] = self._store.candidates(run_id, ends=key[1])
        table = self._tables[key]
        policy = way.policy.but(ties=self._layout.policy.ties)
        if run_id != self._layout.run_id and table["logprob"].isna().all():
            reasons = Counter(self._store.manifest(run_id).get("refused", {}).values()).most_common(1)
            why = reasons[0][0] if reasons else "no text is scored"
            return Compared(table, policy, f"None of its items can be compared: {why}.")
        if way.added_up not in BY_LENGTH:
            return Compared(table, policy)
        if table["text"].isna().any():
            return Compared(table, policy, "Its texts are confidential and not kept.")
        if way.added_up == "slor":
            baseline = self._baseline(way, table, run_id)
            if isinstance(baseline, str):
                return Compared(table, policy, baseline)
            return Compared(_divided(table, baseline, reals(table["n_scored"])), policy)
        texts = _texts(table, way.rule)
        words = way.added_up == "word"
        lengths = [len(word_spans(text, "previous")) if words else len(text.strip()) for text in texts]
        return Compared(_divided(table, 0.0, np.array(lengths, np.float64)), policy)

    def _baseline(self, way: Way, table: pd.DataFrame, run_id: str) -> Reals | str:
        """By row, the unigram log-probability of the scored text (nats), or why it is unknown."""
        unigrams = self.unigrams
        if isinstance(unigrams, str):
            return unigrams
        if unigrams.by_token is not None:
            return self._by_tokens(table, run_id, unigrams, unigrams.by_token)
        if (table["n_scored"] < table["n_tokens"]).any():
            return UNTOLD
        contexts = [""] * len(table) if way.rule == "joint" else table["context"]
        requests = [Request(*pair) for pair in zip(contexts, _texts(table, way.rule), strict=True)]
        return unigrams.of_texts(requests)

    def _by_tokens(self, table: pd.DataFrame, run_id: str, unigrams: Unigrams, by_token: Reals) -> Reals | str:
        """The same by the model's own tokens: stored ones or, where only sums are stored, those of its tokenizer."""
        items = self._store.items(run_id)
        first = items[items["term"] == 0].set_index(["item_id", "candidate"])
        keys = first.loc[pd.MultiIndex.from_frame(table[["item", "candidate"]]), "request_key"]
        parts = self._store.parts(str(items["fingerprint"].iloc[0]))
        sums = token_sums([path for part in parts if (path := part.verified("tokens"))], by_token)
        totals = reals(keys.map(sums)).copy()
        bare = ~keys.isin(sums.index).to_numpy() & np.isfinite(reals(table["logprob"]))
        if bare.any():
            try:
                texts = scored_texts(read(self._store, run_id), self._store)[bare]
                requests = [Request(*pair) for pair in zip(texts["context"], texts["text"], strict=True)]
                totals[bare] = unigrams.of_tokens(requests, reals(table["n_scored"])[bare])
            except (ModelError, StoreError) as error:
                return str(error)
        lost = int((bare & np.isnan(totals)).sum())
        if lost:
            only = f"Of {lost:,} texts only the sums over their tokens are stored"
            return f"{only}; zero-shot --rescore stores the tokens."
        return totals


def _divided(table: pd.DataFrame, baseline: Reals | float, lengths: Reals) -> pd.DataFrame:
    with np.errstate(invalid="ignore", divide="ignore"):
        return table.assign(logprob=(reals(table["logprob"]) - baseline) / np.where(lengths > 0, lengths, np.nan))


def _texts(table: pd.DataFrame, rule: str) -> pd.Series:
    return table["context"] + table["text"] if rule == "joint" else table["text"]

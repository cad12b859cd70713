"""Stored log-probabilities of a run into scores of candidates: cases between sentences, words, whole sentences.

Nothing is scored here: every case, both values of a word, and the end symbol counted or not, are questions to the
same stored run.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd

from core.errors import PolicyError, unknown
from core.files.stereoset.examples import Example
from core.store import Store
from core.studies.stereoset.cases import Logs, Reals, case_of
from core.types import TokenScores

WORD_VALUES: Mapping[str, str] = MappingProxyType(
    {
        "joint": "the probability of the word: the product of those of its tokens",
        "mean": "the mean of its tokens' probabilities (StereoSet), which is no probability of the word",
    }
)


@dataclass(frozen=True, slots=True)
class Combination:
    """How log-probabilities become a score.

    `words` is one of WORD_VALUES. `end`: whether the end of the text counts as a last token of the candidate.
    """

    words: str = "joint"
    end: bool = False

    def __post_init__(self) -> None:
        if self.words not in WORD_VALUES:
            raise PolicyError(unknown("value of words", self.words, WORD_VALUES))


class ScoredRun:
    """A finished run of the task `stereoset` about one of its tasks, read once for all cases."""

    def __init__(self, store: Store, run_id: str, combination: Combination) -> None:
        manifest = store.manifest(run_id)
        rule = str(manifest["rule"]).removesuffix("_unspaced")
        self.has_cases = rule == "cases"
        items = store.items(run_id)
        items = items[~items["item_id"].isin(list(manifest.get("refused") or ()))]
        first = items[items["term"] == 0]
        self._places = first[["item_id", "candidate", "label"]].reset_index(drop=True)
        if rule == "gap" and combination.words == "mean":
            self._values = _means_of_probabilities(store, first)
            return
        ends = (0, 2) if combination.end and rule != "gap" else ()  # a word has no end of a text
        scores = _sums(store, items, _counted(manifest["policy"]), ends)
        if rule == "gap":
            self._values = scores[0]["logprob"].to_numpy(np.float64)
        elif self.has_cases:
            self._logs = _logs(scores)
        else:
            self._values = _per_token(scores[0])

    def logs(self, case: str) -> Reals:
        """The logarithm (nats) of each candidate's score, in the order of the run; NaN where it has none.

        `case` is one of `core.studies.stereoset.cases.CASES`; it changes nothing where the run `has_cases` not.
        """
        return case_of(case).value(self._logs) if self.has_cases else self._values

    def by_id(self, examples: Iterable[Example], case: str) -> dict[str, float]:
        """The score of each candidate by its id, in the order of the examples.

        NaN for candidates of examples that the run does not hold or could not score.
        """
        rows = zip(self._places["item_id"], self._places["candidate"], self.logs(case).tolist(), strict=True)
        found = {(item, number): math.exp(log) for item, number, log in rows}
        return {
            candidate.id: found.get((example.id, number), math.nan)
            for example in examples
            for number, candidate in enumerate(example.candidates)
        }


def _counted(policy: Mapping[str, object]) -> str:
    """The column with the number of tokens that a mean is over (as in `core.metrics`)."""
    return "n_tokens" if policy["first_token"] == "one" else "n_scored"


def _sums(store: Store, items: pd.DataFrame, counted: str, ends: tuple[int, ...]) -> dict[int, pd.DataFrame]:
    """By term: `logprob` and the number `n` of its tokens for each candidate, in one order.

    In the terms of `ends` the end of the text is counted as one more token.
    """
    (fingerprint,) = items["fingerprint"].unique()
    stored = (
        store.scores(fingerprint, 1.0)
        .set_index("request_key")[["logprob", counted]]
        .set_axis(["logprob", "n"], axis=1)
    )
    found = {}
    for term, rows in items.groupby("term"):
        keys = rows["request_key"]
        sums = stored.reindex(keys).reset_index(drop=True)
        if term in ends:
            tokens = store.token_scores(fingerprint, set(keys))
            last = [_end(tokens.get(key)) for key in keys]
            sums = sums.assign(logprob=sums["logprob"] + last, n=sums["n"] + 1)
        found[int(str(term))] = sums
    return found


def _end(scores: TokenScores | None) -> float:
    """The log-probability of the end after a text; NaN where it was not asked for."""
    return scores.eos_logprobs[-1] if scores and scores.eos_logprobs else math.nan


def _logs(scores: Mapping[int, pd.DataFrame]) -> Logs:
    following, context, alone = (scores[term] for term in range(3))
    columns = [one[name].to_numpy(np.float64) for one in (context, following, alone) for name in ("logprob", "n")]
    return Logs(*columns)


def _per_token(sums: pd.DataFrame) -> Reals:
    n = sums["n"].to_numpy(np.float64)
    return sums["logprob"].to_numpy(np.float64) / np.where(n > 0, n, np.nan)


def _means_of_probabilities(store: Store, rows: pd.DataFrame) -> Reals:
    """The logarithm of the mean probability of each word's tokens."""
    (fingerprint,) = rows["fingerprint"].unique()
    tokens = store.token_scores(fingerprint, set(rows["request_key"]))
    found = (tokens.get(key) for key in rows["request_key"])
    values = [np.logaddexp.reduce(one.logprobs) - math.log(len(one.logprobs)) if one else math.nan for one in found]
    return np.array(values, np.float64)

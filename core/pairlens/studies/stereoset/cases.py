"""How stored log-probabilities become scores: the case between sentences, words within them, the end symbol.

Nothing is scored here. Cases say what of a context A and a candidate B is compared, all from the same stored run.

score(X) is the geometric mean of the probabilities of X's tokens, so that its logarithm is a mean:

    score(A)     of the context alone               score(B)     of the candidate alone
    score(B|A)   of the candidate after the context score(A∩B)   of both, as one text

The letters are those of `--case-no` (Öztürk et al. 2023). `orig` is not the formula of the first StereoSet program,
which divided mean logarithms and so preferred the less likely candidate; and the figures that were published for
GPT-2 between sentences come from a next-sentence head, not from any case.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pandas as pd

from pairlens.errors import PolicyError, unknown
from pairlens.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, Example
from pairlens.statistics.candidates import Reals
from pairlens.store import Store

DEFAULT = "d"
_CONTEXT = 1
"""The term of a run's requests that is the context alone; 0 is the candidate after it, 2 the candidate alone."""


@dataclass(frozen=True, slots=True)
class Case:
    """The score of one text, divided by that of another if there is one."""

    letter: str
    name: str
    over: str
    under: str = ""

    @property
    def formula(self) -> str:
        return " / ".join(f"score({text})" for text in (self.over, self.under) if text)

    def value(self, logs: Mapping[str, Reals]) -> Reals:
        """The natural logarithm of the formula, from those of `score_logs`; NaN where a text has no score."""
        return logs[self.over] - logs[self.under] if self.under else logs[self.over]


CASES: Mapping[str, Case] = {
    case.letter: case
    for case in (
        Case("d", "candidate after its context", "B|A"),
        Case("orig", "candidate alone, over the context", "B", "A"),
        Case("c", "context and candidate as one text", "A∩B"),
        Case("e", "what the context adds to the candidate", "B|A", "B"),
        Case("f", "both as one text, over the candidate alone", "A∩B", "B"),
        Case("b", "candidate after its context, over both as one text", "B|A", "A∩B"),
    )
}
"""By letter, the default first. `b` is in the successor's program, but not in what it says about itself."""


def case_of(letter: str) -> Case:
    """The case of that letter; PolicyError with all of them for another."""
    if letter not in CASES:
        raise PolicyError(unknown("case", letter, CASES))
    return CASES[letter]


def score_logs(following: pd.DataFrame, context: pd.DataFrame, alone: pd.DataFrame) -> dict[str, Reals]:
    """The logarithm of the score of each text; p(A∩B) = p(A) p(B|A), over the tokens of both.

    Of B after A, of A and of B alone: the summed log-probabilities `logprob` (nats) and their number `n`.
    """
    sums = {"B|A": following, "A": context, "B": alone, "A∩B": context + following}
    return {text: _mean(each) for text, each in sums.items()}


def _mean(sums: pd.DataFrame) -> Reals:
    """Per token; NaN of no token."""
    total, n = (sums[name].to_numpy(np.float64) for name in ("logprob", "n"))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, total / n, np.nan)


WORD_VALUES: Mapping[str, str] = {
    "joint": "the probability of the word: the product of those of its tokens",
    "mean": "the mean of its tokens' probabilities (StereoSet), which is no probability of the word",
}
_WORDS = {"joint": "word: product over its pieces", "mean": "word: mean of its pieces (StereoSet)"}
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Definition:
    """How stored log-probabilities become scores: `case` between sentences, `words` within them.

    `case` is a letter of `CASES`, `words` a name of `WORD_VALUES`; each is empty where the model was not asked in a
    way that leaves the choice. `elsewhere`: the scores are those of a file of predictions.
    """

    case: str = ""
    words: str = ""
    elsewhere: bool = False


def possible(usual: Definition) -> list[Definition]:
    """The usual definition, and those that differ from it in one thing."""
    cases = [Definition(case, usual.words) for case in CASES if usual.case and case != usual.case]
    words = [Definition(usual.case, value) for value in _WORDS if usual.words and value != usual.words]
    return [usual, *cases, *words]


def of_kind(defined: Mapping[Definition, _Value], kind: str) -> dict[str, _Value]:
    """By name in words, the usual definition, which is the first one, and those that differ from it in this task."""
    usual = next(iter(defined))
    return {
        definition_in_words(one, kind, usual): value
        for one, value in defined.items()
        if (one.case == usual.case or kind != INTRASENTENCE) and (one.words == usual.words or kind != INTERSENTENCE)
    }


def definition_in_words(one: Definition, kind: str, usual: Definition) -> str:
    """What a definition is called on screens: a case by its letter and name, the score of a word by what it is."""
    if one.elsewhere:
        return "as in the file"
    if kind == INTRASENTENCE or (kind != INTERSENTENCE and one.words != usual.words):
        return _WORDS.get(one.words, "whole sentence, per token")
    return f"{one.case}: {CASES[one.case].name}" if one.case else "is it the next sentence?"


class ScoredRun:
    """A finished run of the task `stereoset` about one of its tasks, read once for all cases.

    `words` is one of `WORD_VALUES`; `end`: whether the end of the text counts as a last token of the candidate.
    """

    def __init__(self, store: Store, run_id: str, words: str, *, end: bool) -> None:
        manifest = store.manifest(run_id)
        items = store.items(run_id)
        items = items[~items["item_id"].isin(list(manifest.get("refused") or ()))]
        first = items[items["term"] == 0]
        self._places = [*zip(first["item_id"], first["candidate"], strict=True)]
        rule = str(manifest["rule"]).removesuffix("_unspaced")
        self._has_cases = rule == "cases"
        if rule == "gap" and words == "mean":
            self._logs = {"": _means_of_probabilities(store, first)}
            return
        # The tokens that a mean is over, as in `pairlens.metrics`.
        counted = "n_tokens" if manifest["policy"]["first_token"] == "one" else "n_scored"
        sums = _sums(store, items, counted, end=end and rule != "gap")  # a word has no end of a text
        if self._has_cases:
            self._logs = score_logs(*sums)
        else:
            self._logs = {"": sums[0]["logprob"].to_numpy(np.float64) if rule == "gap" else _mean(sums[0])}

    def logs(self, case: str) -> Reals:
        """The logarithm (nats) of each candidate's score, in the order of the run; NaN where it has none.

        `case` is one of `CASES`; it changes nothing where candidates are not compared by a case.
        """
        return case_of(case).value(self._logs) if self._has_cases else self._logs[""]

    def by_id(self, examples: Iterable[Example], case: str) -> dict[str, float]:
        """The score of each candidate by its id, in the order of the examples.

        NaN for candidates of examples that the run does not hold or could not score.
        """
        scores = dict(zip(self._places, map(math.exp, self.logs(case)), strict=True))
        return {
            candidate.id: scores.get((example.id, number), math.nan)
            for example in examples
            for number, candidate in enumerate(example.candidates)
        }


def _sums(store: Store, items: pd.DataFrame, counted: str, *, end: bool) -> list[pd.DataFrame]:
    """By term: `logprob` and the number `n` of its tokens (column `counted`) for each candidate, in one order.

    With the `end` of the text as one more token of all but contexts; NaN where that was not asked for.
    """
    (fingerprint,), terms = items["fingerprint"].unique(), items["term"].to_numpy()
    stored = store.scores(fingerprint, 1.0).set_index("request_key")[["logprob", counted]]
    sums = stored.reindex(items["request_key"]).reset_index(drop=True).set_axis(["logprob", "n"], axis=1)
    if end:
        tokens = store.token_scores(fingerprint, set(items["request_key"]))
        known = (tokens.get(key) for key in items["request_key"])
        last = [one.eos_logprobs[-1] if one and one.eos_logprobs else math.nan for one in known]
        ends = terms != _CONTEXT
        sums = sums.assign(logprob=sums["logprob"] + np.where(ends, last, 0.0), n=sums["n"] + ends)
    return [sums[terms == term].reset_index(drop=True) for term in sorted({*terms})]


def _means_of_probabilities(store: Store, rows: pd.DataFrame) -> Reals:
    """The logarithm of the mean probability of each word's tokens."""
    (fingerprint,) = rows["fingerprint"].unique()
    tokens = store.token_scores(fingerprint, set(rows["request_key"]))
    known = (tokens.get(key) for key in rows["request_key"])
    values = [np.logaddexp.reduce(one.logprobs) - math.log(len(one.logprobs)) if one else math.nan for one in known]
    return np.array(values, np.float64)

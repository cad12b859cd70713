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
from numpy.typing import NDArray

from core.errors import PolicyError, unknown
from core.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, Example
from core.store import Store

Reals = NDArray[np.float64]

DEFAULT = "d"


@dataclass(frozen=True, slots=True)
class Logs:
    """Summed log-probabilities (nats) and scored tokens of A, of B after A, and of B alone: one per candidate."""

    context: Reals
    n_context: Reals
    following: Reals
    n_following: Reals
    alone: Reals
    n_alone: Reals

    def score(self, text: str) -> Reals:
        """The logarithm of the score of `A`, `B`, `B|A` or `A∩B`; p(A∩B) = p(A) p(B|A), over the tokens of both."""
        match text:
            case "A":
                return _mean(self.context, self.n_context)
            case "B":
                return _mean(self.alone, self.n_alone)
            case "B|A":
                return _mean(self.following, self.n_following)
        return _mean(self.context + self.following, self.n_context + self.n_following)


@dataclass(frozen=True, slots=True)
class Case:
    """The score of one text, divided by that of another if there is one."""

    letter: str
    name: str
    over: str
    under: str = ""

    @property
    def formula(self) -> str:
        """As papers write it: `score(B|A) / score(B)`."""
        return " / ".join(f"score({text})" for text in (self.over, self.under) if text)

    def value(self, logs: Logs) -> Reals:
        """The natural logarithm of the formula, one per candidate; NaN where a text has no score."""
        score = logs.score(self.over)
        return score - logs.score(self.under) if self.under else score


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


def _mean(total: Reals, n: Reals) -> Reals:
    """Per token; NaN of no token."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, total / n, np.nan)


IN_THE_FILE = "as in the file"
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
        return IN_THE_FILE
    if kind == INTRASENTENCE or (kind != INTERSENTENCE and one.words != usual.words):
        return _WORDS.get(one.words, "whole sentence, per token")
    return f"{one.case}: {CASES[one.case].name}" if one.case else "is it the next sentence?"


WORD_VALUES: Mapping[str, str] = {
    "joint": "the probability of the word: the product of those of its tokens",
    "mean": "the mean of its tokens' probabilities (StereoSet), which is no probability of the word",
}


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
        # The tokens that a mean is over, as in `core.metrics`.
        counted = "n_tokens" if manifest["policy"]["first_token"] == "one" else "n_scored"
        scores = _sums(store, items, counted, ends)
        logs, n = (scores[0][name].to_numpy(np.float64) for name in ("logprob", "n"))
        if self.has_cases:
            order = (1, 0, 2)  # the context, what follows it, that alone
            self._logs = Logs(
                *(scores[term][name].to_numpy(np.float64) for term in order for name in ("logprob", "n"))
            )
        self._values = logs if rule == "gap" else _mean(logs, n)

    def logs(self, case: str) -> Reals:
        """The logarithm (nats) of each candidate's score, in the order of the run; NaN where it has none.

        `case` is one of `CASES`; it changes nothing where the run `has_cases` not.
        """
        return case_of(case).value(self._logs) if self.has_cases else self._values

    def by_id(self, examples: Iterable[Example], case: str) -> dict[str, float]:
        """The score of each candidate by its id, in the order of the examples.

        NaN for candidates of examples that the run does not hold or could not score.
        """
        places = zip(self._places["item_id"], self._places["candidate"], strict=True)
        scores = dict(zip(places, map(math.exp, self.logs(case)), strict=True))
        return {
            candidate.id: scores.get((example.id, number), math.nan)
            for example in examples
            for number, candidate in enumerate(example.candidates)
        }


def _sums(store: Store, items: pd.DataFrame, counted: str, ends: tuple[int, ...]) -> dict[int, pd.DataFrame]:
    """By term: `logprob` and the number `n` of its tokens (column `counted`) for each candidate, in one order.

    In the terms of `ends` the end of the text is counted as one more token, NaN where it was not asked for.
    """
    (fingerprint,) = items["fingerprint"].unique()
    stored = store.scores(fingerprint, 1.0).set_index("request_key")[["logprob", counted]]
    by_term = {}
    for term, keys in items.groupby("term")["request_key"]:
        sums = stored.reindex(keys).reset_index(drop=True).set_axis(["logprob", "n"], axis=1)
        if term in ends:
            tokens = store.token_scores(fingerprint, set(keys))
            known = (tokens.get(key) for key in keys)
            last = [one.eos_logprobs[-1] if one and one.eos_logprobs else math.nan for one in known]
            sums = sums.assign(logprob=sums["logprob"] + last, n=sums["n"] + 1)
        by_term[int(str(term))] = sums
    return by_term


def _means_of_probabilities(store: Store, rows: pd.DataFrame) -> Reals:
    """The logarithm of the mean probability of each word's tokens."""
    (fingerprint,) = rows["fingerprint"].unique()
    tokens = store.token_scores(fingerprint, set(rows["request_key"]))
    known = (tokens.get(key) for key in rows["request_key"])
    values = [np.logaddexp.reduce(one.logprobs) - math.log(len(one.logprobs)) if one else math.nan for one in known]
    return np.array(values, np.float64)

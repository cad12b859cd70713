"""Predictive power: what the surprisal of a word adds to a regression of how long people look at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.errors import InputError
from core.policies import NO_CONTEXT, Policy
from core.statistics.candidates import Reals, group_columns, reals

EYE_TRACKING = ("RTfirstfix", "RTfirstpass", "RTgopast", "RTrightbound")
"""First fixation, first pass (gaze), go-past and right-bounded time, in milliseconds."""
SELF_PACED = ("self_paced_reading_time",)
EEG = ("ELAN", "LAN", "N400", "P600", "EPNP", "PNP")
"""Components of the potential, in microvolts."""
MEASURED = (*EYE_TRACKING, *SELF_PACED, *EEG)
SURPRISAL = "surprisal"
PLAIN = ("Subtlex_log10", "length", "context_length")
"""Predictors of the base regression: log frequency, characters of the word, words before it."""
SPILLOVER = (*PLAIN, "prev_length", "prev_surprisal")
"""The same and those of the word before, whose difficulty spills over into the time for this one."""

_LACKING = {"Subtlex_log10": "its frequency is not known", "prev_surprisal": "no word before it was scored"}
_NUMBERS = (*PLAIN, "prev_length", *MEASURED)
_TINY = 1e-12
"""A sum of squares below this share of its total is rounding, not variance."""
_ILL_CONDITIONED = 1e9
"""Condition of a matrix of products beyond which solving twice does not make its rounding good."""


def reading_statistics(
    candidates: pd.DataFrame, base: Sequence[str] = PLAIN, measured: Sequence[str] = MEASURED
) -> pd.DataFrame:
    """One row per item: `surprisal` of its candidate `word` and `prev_surprisal` of `previous`, both in nats, and
    predictors, times and amplitudes as floats, NaN where missing.

    `excluded` says why a word is in no regression of `measured` on `base`. Raises InputError for candidates of
    another task, without these columns.
    """
    if missing := [name for name in _NUMBERS if name not in candidates.columns]:
        raise InputError(f"these scores are not of reading data: there is no {', '.join(missing)}")
    words = candidates.drop_duplicates("item")
    numbers = {name: pd.to_numeric(words[name].replace("", None)).to_numpy(np.float64) for name in _NUMBERS}
    others = [name for name in group_columns(candidates) if name not in _NUMBERS]
    table = pd.DataFrame(
        {
            "item": words["item"].to_numpy(),
            SURPRISAL: _surprisals(candidates, "word", words["item"]),
            "prev_surprisal": _surprisals(candidates, "previous", words["item"]),
            **numbers,
            "tie": False,
            "undecided": False,
            "length_only": np.nan,
            "chance": np.nan,
            **{name: words[name].to_numpy() for name in others},
        }
    )
    return table.assign(excluded=pd.array(_reasons(table, base, measured), dtype="str"))


def as_counted(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """The candidates that the policy counts, the others without a log-probability.

    BabyLM's pipeline reads a word without context after *None*, but does not score one before it that has none: it
    takes a context that is this word for a missing one.
    """
    if policy.tokens != "rewritten":
        return candidates
    lost = (candidates["label"] == "previous") & candidates["context"].isin(["", NO_CONTEXT])
    context = candidates["context"].replace("", NO_CONTEXT)
    return candidates.assign(context=context, logprob=candidates["logprob"].mask(lost))


def _surprisals(candidates: pd.DataFrame, label: str, items: pd.Series) -> Reals:
    rows = candidates[candidates["label"] == label]
    surprisals = -pd.Series(reals(rows["logprob"]), rows["item"].to_numpy())
    aligned = surprisals.reindex(items.to_numpy()).to_numpy(np.float64)
    return np.where(np.isfinite(aligned), aligned, np.nan)


def _reasons(table: pd.DataFrame, base: Sequence[str], measured: Sequence[str]) -> NDArray[np.object_]:
    reasons = np.full(len(table), None, dtype=object)
    reasons[table[list(measured)].isna().all(axis=1)] = "nothing was measured for it"
    for name in reversed(base):
        reasons[table[name].isna()] = _LACKING.get(name, f"it has no {name}")
    reasons[table[SURPRISAL].isna()] = "the word could not be scored"
    return reasons


def design(predictors: Reals) -> Reals:
    """Columns of a regression: 1, the predictors, and the product of every two of them."""
    products = [predictors[:, i] * predictors[:, j] for i, j in combinations(range(predictors.shape[1]), 2)]
    return np.column_stack([np.ones(len(predictors)), predictors, *products])


def predictive_power(statistics: pd.DataFrame, measured: Sequence[str], base: Sequence[str]) -> float:
    """Mean over `measured` of (R2_model - R2_base) / (1 - R2_base), 0 to 1.

    Base: ordinary least squares on `base` and all pairwise products; the model adds surprisal. Both see the rows in
    which nothing that the model needs is missing. What is computed is the squared partial correlation, which equals
    it (Frisch & Waugh 1933). NaN if a regression has no more rows than coefficients, or a time does not vary.
    """
    n_predictors = len(base) + 1
    values = statistics[[*base, SURPRISAL, *measured]].to_numpy(np.float64)
    known = ~np.isnan(values)
    rows = known[:, n_predictors:] & known[:, :n_predictors].all(axis=1, keepdims=True)
    together: dict[bytes, list[int]] = {}
    for outcome in range(len(measured)):
        together.setdefault(rows[:, outcome].tobytes(), []).append(outcome)
    shares = [
        _partial(
            values[rows[:, outcomes[0]], :n_predictors], values[rows[:, outcomes[0]], n_predictors:][:, outcomes]
        )
        for outcomes in together.values()
    ]
    return float(np.mean(np.concatenate(shares)))


def _partial(predictors: Reals, outcomes: Reals) -> Reals:
    """Squared partial correlations of the last predictor with each outcome, given the others and their products."""
    n_rows, n_base = len(predictors), predictors.shape[1] - 1
    if n_rows <= 2 + n_base + n_base * (n_base - 1) // 2:
        return np.full(outcomes.shape[1], np.nan)
    base = design(_standardised(predictors[:, :-1]))
    rest = _standardised(np.column_stack([predictors[:, -1], outcomes]))
    rest = _residuals(base, rest)
    squares = (rest**2).sum(axis=0)
    squares[squares < _TINY * n_rows] = 0
    shared = (rest[:, 0] @ rest[:, 1:]) ** 2 if squares[0] else np.zeros(outcomes.shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(squares[1:] > 0, shared / (squares[0] or 1) / squares[1:], np.nan)


def _residuals(base: Reals, columns: Reals) -> Reals:
    """What least squares on `base` leave of the columns.

    Normal equations, solved twice (the second time for what the first left, which makes good their loss of digits):
    a bootstrap does this a thousand times, and they are ten times as fast as a decomposition of all rows, which is
    for columns that depend on each other.
    """
    products = base.T @ base
    if np.linalg.cond(products) > _ILL_CONDITIONED:
        return np.asarray(columns - base @ np.linalg.lstsq(base, columns, rcond=None)[0])
    for _ in range(2):
        columns = columns - base @ np.linalg.solve(products, base.T @ columns)
    return columns


def _standardised(values: Reals) -> Reals:
    """Mean 0 and deviation 1, which changes no share of variance but keeps the arithmetic exact; 0 if constant."""
    centred = values - values.mean(axis=0)
    deviation = centred.std(axis=0)
    constant = deviation <= _TINY * np.abs(values).max(axis=0, initial=0)
    return np.where(constant, 0, centred / np.where(constant, 1, deviation))


@dataclass(frozen=True, slots=True)
class PredictivePower:
    """The share of the variance that `base` and its products leave of the `measured` times and surprisal explains.

    The mean over the times of (R2_model - R2_base) / (1 - R2_base), as in BabyLM 2025.
    """

    name: str
    title: str
    finding: str
    measured: tuple[str, ...]
    base: tuple[str, ...]
    base_in_words: str
    values: tuple[str, ...] = (SURPRISAL,)
    higher_is_better: bool | None = True
    cites: tuple[str, ...] = ("charpentier2025babylm", "frisch1933partial")
    note: str = ""
    sides: tuple[str, str] = ("right", "wrong")
    version: int = 1
    scale: str = "share"
    averages: bool = False
    under: tuple[str, ...] = ("conditional",)

    @property
    def formula(self) -> str:
        """See `core.types.Metric`."""
        return (
            "mean over the measured times of (R2 with surprisal - R2 without) / (1 - R2 without), by least squares "
            f"on {self.base_in_words} and all their pairwise products"
        )

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        """One row per word: see `reading_statistics`."""
        return reading_statistics(as_counted(candidates, policy), self.base, self.measured)

    def value(self, statistics: pd.DataFrame) -> float:
        """The share, 0 to 1; NaN if there are too few words."""
        return predictive_power(statistics, self.measured, self.base)

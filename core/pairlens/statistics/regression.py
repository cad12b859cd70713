"""Predictive power: what the surprisal of a word adds to a regression of how long people look at it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.errors import InputError
from pairlens.policies import NO_CONTEXT, Policy
from pairlens.statistics.candidates import Reals, group_columns, reals
from pairlens.statistics.jackknife import Codes

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
_SINGULAR = 1e-9
"""Share of the largest eigenvalue below which what rows without a cluster say about a predictor is rounding."""


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

    BabyLM's pipeline scores no word before this one that it reads after *None*, which it takes for a missing context.
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


def partial_correlations(
    statistics: pd.DataFrame, measured: Sequence[str], base: Sequence[str], codes: Codes | None = None
) -> tuple[Reals, Reals]:
    """Of surprisal with each of `measured`, given `base` and all pairwise products; and without each code's rows.

    Each is over the rows in which nothing that it needs is missing. The second has a row per code and a column per
    measured variable (no row without `codes`). NaN if there are no more rows than coefficients of a regression, or
    a measured variable does not vary.
    """
    n_predictors = len(base) + 1
    values = statistics[[*base, SURPRISAL, *measured]].to_numpy(np.float64)
    known = ~np.isnan(values)
    rows = known[:, n_predictors:] & known[:, :n_predictors].all(axis=1, keepdims=True)
    codes = np.empty(0, np.int64) if codes is None else codes
    whole, without = np.empty(len(measured)), np.empty((codes.max(initial=-1) + 1, len(measured)))
    together: dict[bytes, list[int]] = {}
    for outcome in range(len(measured)):
        together.setdefault(rows[:, outcome].tobytes(), []).append(outcome)
    for outcomes in together.values():
        chosen = rows[:, outcomes[0]]
        orthogonal, rest = _residuals(values[chosen, :n_predictors], values[chosen, n_predictors:][:, outcomes])
        whole[outcomes] = _correlations(rest.T @ rest, len(rest))
        if len(codes):
            products = _products_without(orthogonal, rest, codes[chosen], len(without))
            without[:, outcomes] = _correlations(products, len(rest))
    return whole, without


def partial_slope(rows: pd.DataFrame, measured: str, base: Sequence[str], codes: Codes) -> tuple[float, Reals]:
    """Surprisal's coefficient in the regression of a time on it and the base (unit per nat); without each code."""
    values = rows[[*base, SURPRISAL, measured]].to_numpy(np.float64)
    orthogonal, rest = _residuals(values[:, :-1], values[:, -1:])
    products = np.concatenate([(rest.T @ rest)[None], _products_without(orthogonal, rest, codes, codes.max() + 1)])
    spread = products[:, 0, 0]
    unit = values[:, -1].std() / (values[:, -2].std() or np.nan)
    slopes = unit * products[:, 0, 1] / np.where(spread > _TINY * len(rest), spread, np.nan)
    return float(slopes[0]), slopes[1:]


def predictive_power(statistics: pd.DataFrame, measured: Sequence[str], base: Sequence[str]) -> float:
    """Mean over `measured` of (R2_model - R2_base) / (1 - R2_base), the squared partial correlation.

    Equal by Frisch & Waugh 1933. NaN if a regression has no more rows than coefficients, or a time does not vary.
    """
    return float(np.mean(partial_correlations(statistics, measured, base)[0] ** 2))


def _residuals(predictors: Reals, outcomes: Reals) -> tuple[Reals, Reals]:
    """What least squares on all predictors but the last leave of that and of the outcomes, standardised.

    Before them, orthonormal columns that span the predictors and their products: none, and all the rest NaN, if there
    are no more rows than coefficients.
    """
    n_rows, n_base = len(predictors), predictors.shape[1] - 1
    if n_rows <= 2 + n_base + n_base * (n_base - 1) // 2:
        return np.empty((n_rows, 0)), np.full((n_rows, 1 + outcomes.shape[1]), np.nan)
    base = design(_standardised(predictors[:, :-1]))
    rest = _standardised(np.column_stack([predictors[:, -1], outcomes]))
    columns, sizes, _ = np.linalg.svd(base, full_matrices=False)
    columns = columns[:, sizes > _TINY * sizes[0]]
    for _ in range(2):  # the second time for the digits that the first lost
        rest = rest - columns @ (columns.T @ rest)
    return columns, rest


def _products_without(columns: Reals, rest: Reals, codes: Codes, n_codes: int) -> Reals:
    """The products of `rest`, less what the columns explain, without each code's rows: (codes, k, k); NaN for few."""
    both, n_base = np.column_stack([columns, rest]), columns.shape[1]
    sizes = np.bincount(codes, minlength=n_codes)
    parts = np.split(both[np.argsort(codes, kind="stable")], np.cumsum(sizes)[:-1])
    left = both.T @ both - np.stack([part.T @ part for part in parts])
    of_base, across, of_rest = left[:, :n_base, :n_base], left[:, :n_base, n_base:], left[:, n_base:, n_base:]
    explained = across.transpose(0, 2, 1) @ np.linalg.pinv(of_base, rcond=_SINGULAR, hermitian=True) @ across
    of_rest = of_rest - explained
    of_rest[len(rest) - sizes <= n_base + 1] = np.nan
    return of_rest


def _correlations(products: Reals, n_rows: int) -> Reals:
    """Of the first of centred variables (0 if constant) with the others (NaN), from their products (..., k, k)."""
    squares = np.diagonal(products, axis1=-2, axis2=-1)
    squares = np.where(squares < _TINY * n_rows, 0, squares)
    surprisal, others = squares[..., :1], squares[..., 1:]
    shared = np.where(surprisal > 0, products[..., 0, 1:], 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(others > 0, shared / np.sqrt(np.where(surprisal > 0, surprisal, 1) * others), np.nan)


def _standardised(values: Reals) -> Reals:
    """Mean 0 and deviation 1, which changes no share of variance but keeps the arithmetic exact; 0 if constant."""
    centred = values - values.mean(axis=0)
    deviation = centred.std(axis=0)
    constant = deviation <= _TINY * np.abs(values).max(axis=0, initial=0)
    return np.where(constant, 0, centred / np.where(constant, 1, deviation))


@dataclass(frozen=True, slots=True)
class PredictivePower:
    """The share of variance that `base` and its products leave of `measured` and surprisal explains (BabyLM 2025)."""

    name: str
    title: str
    finding: str
    measured: tuple[str, ...]
    base: tuple[str, ...]
    base_in_words: str
    values: tuple[str, ...] = (SURPRISAL,)
    higher_is_better: bool | None = True
    cites: tuple[str, ...] = ("charpentier2025babylm", "frisch1933partial")
    note: str = (
        "It cannot be below 0, and without any predictive power it is above 0 on average; the interval begins at 0 "
        "where a test at 5 % cannot tell it from none."
    )
    sides: tuple[str, str] = ("right", "wrong")
    version: int = 3
    scale: str = "share"
    averages: bool = False
    under: tuple[str, ...] = ("conditional",)

    @property
    def formula(self) -> str:
        return (
            "mean over the measured times of (R2 with surprisal - R2 without) / (1 - R2 without), by least squares "
            f"on {self.base_in_words} and all their pairwise products"
        )

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        return reading_statistics(as_counted(candidates, policy), self.base, self.measured)

    def value(self, statistics: pd.DataFrame) -> float:
        return predictive_power(statistics, self.measured, self.base)

    def correlations(self, statistics: pd.DataFrame, codes: Codes) -> tuple[Reals, Reals]:
        """The partial correlations of surprisal with the times: see `partial_correlations`."""
        return partial_correlations(statistics, self.measured, self.base, codes)

"""The share of items whose right candidate scores highest, with ties counted as the policy says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core import measures
from core.policies import Policy

COLUMNS = ("item", "candidate", "label", "gold", "context", "text", "logprob", "n_tokens", "n_scored", "n_straddling")
"""The candidate table's own columns; all others are groups."""

Reals = NDArray[np.float64]


def group_columns(candidates: pd.DataFrame) -> list[str]:
    """The columns of a candidate table that say where an item belongs."""
    return [name for name in candidates.columns if name not in COLUMNS]


def sentence_values(candidates: pd.DataFrame, policy: Policy) -> Reals:
    """What candidates are compared by: summed log-probability, or its mean per token, in nats; one per row.

    The mean is over scored tokens; under first-token policy `one` the first token enters it with log-probability 0.
    """
    totals = _reals(candidates["logprob"])
    if policy.sentence_value == "sum":
        return totals
    count = "n_tokens" if policy.first_token == "one" else "n_scored"
    return totals / _reals(candidates[count])


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Accuracy over items with one right candidate and any number of wrong ones."""

    name: str = "accuracy"
    version: int = 1
    title: str = "Accuracy"

    def statistics(self, candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
        """One row per item, in the table's order (by name if an item's rows are apart), with its groups.

        correct      1 if the right candidate scores highest, 0 if not; a tie counts 1, 0 or, if m candidates share
                     the first place, 1/m, as `policy.ties` says; NaN if the item is excluded
        tie          the right candidate shares the first place, exactly
        undecided    no tie, but the difference is within `measures.PRECISION`
        margin       value of the right candidate minus that of the best other one, nats (per token if means)
        length_only  `correct` of a chooser that takes the candidate with the fewest scored tokens, ties counted 1/m
        excluded     why the item does not count; missing if it does
        """
        table = candidates.sort_values(["item", "candidate"], kind="stable") if _scattered(candidates) else candidates
        starts = np.flatnonzero(_first_rows(table))
        right = (table["label"] == table["gold"]).fillna(False).to_numpy(bool)
        values = sentence_values(table, policy)
        unscored = np.logical_or.reduceat(np.isnan(values), starts)
        wins, margin, sharing = _compare(values, right, starts)
        by_length, _, _ = _compare(-_reals(table["n_scored"]), right, starts)
        tie = (wins > 0) & (sharing > 1)
        share = {"half": wins, "correct": (wins > 0) * 1.0, "wrong": (wins == 1) * 1.0}[policy.ties]
        excluded = _reasons(unscored, np.add.reduceat(right, starts, dtype=int), _sizes(starts, len(table)))
        counts = pd.isna(excluded)
        rows = table.iloc[starts]
        return pd.DataFrame(
            {
                "item": rows["item"].to_numpy(),
                "correct": np.where(counts, share, np.nan),
                "tie": tie & counts,
                "undecided": counts & ~tie & (np.abs(margin) <= measures.PRECISION),
                "margin": np.where(counts, margin, np.nan),
                "length_only": np.where(counts, by_length, np.nan),
                "excluded": pd.array(excluded, dtype="str"),
                **{name: rows[name].to_numpy() for name in group_columns(table)},
            }
        )

    def value(self, statistics: pd.DataFrame) -> float:
        """The mean over items that count, between 0 and 1; NaN if there is none."""
        return float(statistics["correct"].mean())


def _reals(column: pd.Series) -> Reals:
    return np.asarray(column.to_numpy(np.float64, na_value=np.nan), np.float64)


def _first_rows(table: pd.DataFrame) -> NDArray[np.bool_]:
    """True where a row belongs to another item than the row before it."""
    items = pd.factorize(table["item"])[0]
    return np.asarray(np.diff(items, prepend=-1) != 0, np.bool_)


def _scattered(table: pd.DataFrame) -> bool:
    """Whether the rows of some item are not next to each other."""
    return int(_first_rows(table).sum()) != table["item"].nunique()


def _sizes(starts: NDArray[np.intp], n_rows: int) -> NDArray[np.intp]:
    return np.diff(starts, append=n_rows)


def _compare(
    values: Reals, right: NDArray[np.bool_], starts: NDArray[np.intp]
) -> tuple[Reals, Reals, NDArray[np.intp]]:
    """Per item: the right candidate's share of the first place, its lead, and how many share its value."""
    if not len(starts):
        return np.empty(0), np.empty(0), np.empty(0, np.intp)
    best_right = np.maximum.reduceat(np.where(right, values, -np.inf), starts)
    best_other = np.maximum.reduceat(np.where(right, -np.inf, values), starts)
    sharing = np.add.reduceat(values == np.repeat(best_right, _sizes(starts, len(values))), starts, dtype=np.intp)
    with np.errstate(invalid="ignore"):
        lead = np.where(best_right == best_other, 0.0, best_right - best_other)
    return np.where(lead >= 0, 1 / np.maximum(sharing, 1), 0.0), lead, sharing


def _reasons(unscored: NDArray[np.bool_], n_right: NDArray[np.intp], n: NDArray[np.intp]) -> NDArray[np.object_]:
    reasons = np.full(len(n), None, dtype=object)
    reasons[unscored] = "a candidate could not be scored"
    reasons[n_right != 1] = "it has not exactly one right candidate"
    reasons[n < 2] = "it has fewer than two candidates"
    return reasons


METRIC = Accuracy()

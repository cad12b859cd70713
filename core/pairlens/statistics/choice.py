"""Which candidate of an item scores highest: what every metric that compares candidates is made of."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens import measures
from pairlens.policies import Policy
from pairlens.statistics.candidates import Reals, group_columns, reals, sentence_values


def choices(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """One row per item, in the table's order (by name if an item's rows are apart), with its groups.

    correct      1 if the right candidate scores highest, 0 if not; a tie counts 1, 0 or, if m candidates share the
                 first place, 1/m, as `policy.ties` says; NaN if the item is excluded
    tie          the right candidate shares the first place, exactly
    undecided    no tie, but the difference is within `measures.PRECISION`
    margin       value of the right candidate minus that of the best other one, nats (per token if means)
    length_only  `correct` when choosing the candidate with the fewest scored tokens, ties counted 1/m; NaN if no text
                 has more than one
    chance       `correct` of one that draws a candidate by lot
    excluded     why the item does not count; missing if it does
    """
    table, starts = _by_item(candidates)
    sizes = _sizes(starts, len(table))
    right = (table["label"] == table["gold"]).fillna(False).to_numpy(bool)
    values = sentence_values(table, policy)
    unscored = np.logical_or.reduceat(np.isnan(values), starts)
    wins, margin, sharing = _compare(values, right, starts)
    by_length, _, _ = _compare(-reals(table["n_scored"]), right, starts)
    tokens = len(table) and table["n_scored"].max() > 1  # where each text is one, they were not counted
    tie = (wins > 0) & (sharing > 1)
    share = {"half": wins, "correct": (wins > 0) * 1.0, "wrong": (wins == 1) * 1.0}[policy.ties]
    excluded = _reasons(unscored, np.add.reduceat(right, starts, dtype=int), sizes)
    counts = pd.isna(excluded)
    rows = table.iloc[starts]
    return pd.DataFrame(
        {
            "item": rows["item"].array,
            "correct": np.where(counts, share, np.nan),
            "tie": tie & counts,
            "undecided": counts & ~tie & (np.abs(margin) <= measures.PRECISION),
            "margin": np.where(counts, margin, np.nan),
            "length_only": np.where(counts & bool(tokens), by_length, np.nan),
            "chance": np.where(counts, 1 / sizes, np.nan),
            "excluded": pd.array(excluded, dtype="str"),
            **{name: rows[name].array for name in group_columns(table)},
        }
    )


def between(candidates: pd.DataFrame, right: str, rival: str, policy: Policy) -> pd.DataFrame:
    """The choices between the candidates with these two labels, which every item has; aligned whatever the labels."""
    table, _ = _by_item(candidates)
    pair = table[table["label"].isin((right, rival))]
    return choices(pair.assign(gold=right), policy)


def combined(
    first: pd.DataFrame,
    second: pd.DataFrame,
    together: Callable[[pd.Series, pd.Series], pd.Series],
    margin: pd.Series,
) -> pd.DataFrame:
    """Two choices per item as one row, a tie, undecided or excluded if either is; `together` says what they count."""
    excluded = first["excluded"].fillna(second["excluded"])
    tie = (first["tie"] | second["tie"]) & excluded.isna()
    return first.assign(
        correct=together(first["correct"], second["correct"]),
        tie=tie,
        undecided=(first["undecided"] | second["undecided"]) & ~tie & excluded.isna(),
        margin=margin,
        length_only=together(first["length_only"], second["length_only"]),
        chance=first["chance"].where(excluded.isna()),
        excluded=excluded,
    )


def _by_item(table: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.intp]]:
    """The table, sorted by item unless the rows of every item are next to each other, and each item's first row."""
    items, names = pd.factorize(table["item"])
    starts = np.flatnonzero(np.diff(items, prepend=-1))
    if len(starts) == len(names):
        return table, starts
    return _by_item(table.sort_values(["item", "candidate"], kind="stable"))


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

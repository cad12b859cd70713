"""How often a model makes a verb agree with its head, and how simpler choosers do on the same items.

The items are two forms of one verb after the same prefix (Linzen et al. 2016; Gulordava et al. 2018). Looking at the
wrong noun gives the right answer for most, so that accuracy alone means little: Li, Wisniewski & Crabbé (2021, 2023)
break it down by how many of five surface heuristics already give the answer.

The candidate table of an agreement set (`core.metrics`) has these groups, all of them text; any may be missing, and a
value may be `unknown`:

    number                              of the head: `singular` or `plural`
    attractors, distance                nouns of the other number between head and verb; words from head to verb
    inverted                            whether the subject follows the verb
    type                                `original` or `generated`
    heuristics                          how many of the five predict the right number
    cls_noun ... que_n                  the prediction of each: `singular`, `plural` or `none`
    frequency_correct, frequency_wrong  how often each form occurs in the training text
    contrast                            items with the same value are not independent
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.analysis import _agreement_tables as tables
from core.analysis._agreement_tables import NUMBERS, UNKNOWN, with_choosers
from core.policies import Policy
from core.statistics.intervals import wilson

_TABLES = (
    "by_number", "by_attractors", "by_heuristics", "by_distance", "by_inverted", "by_type", "heuristics", "baselines",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AgreementNumbers:
    """A model's numbers on an agreement set, and those of simpler choosers on the same items.

    Shares are between 0 and 1; an exact tie counts as the policy says, for the model and for frequencies. Intervals
    are 95 % intervals over contrasts (`core.statistics.intervals.over_items`).

    overall            n, right, share, low, high, contrasts, wilson_low, wilson_high (as if items were independent),
                       ties, undecided (decided by less than 1e-4 nats) and excluded (items that do not count)
    balanced_accuracy  the mean of the two numbers' shares; NaN unless both occur
    mean_log_ratio     mean of log p(right form) - log p(wrong form), nats (per token if the policy compares means)
    by_number, by_attractors, by_heuristics, by_distance, by_inverted, by_type
                       one row per group: group, n, right, share, low, high, contrasts, ties, and the shares that
                       `always_singular`, `frequency` and `cls_noun` reach. Items without a value in the file come
                       last, as `unknown`; the table is empty if none has one. Three attractors or more are one
                       group; distances are 0, 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 32 and 33 or more
    heuristics         one row per heuristic: heuristic, title, n (items with a known prediction), right, share, low,
                       high, none (items to which it does not apply, which count as wrong), model (the model's share
                       of these n); and the model on the n_wrong items that the heuristic has wrong: model_right,
                       model_share, model_low, model_high
    baselines          one row per baseline: baseline, title, n (items with the information it needs), right, share,
                       ties, model (the model's share of these n)
    excluded           reason, n
    """

    overall: pd.Series
    balanced_accuracy: float
    mean_log_ratio: float
    by_number: pd.DataFrame
    by_attractors: pd.DataFrame
    by_heuristics: pd.DataFrame
    by_distance: pd.DataFrame
    by_inverted: pd.DataFrame
    by_type: pd.DataFrame
    heuristics: pd.DataFrame
    baselines: pd.DataFrame
    excluded: pd.DataFrame


def agreement_numbers(candidates: pd.DataFrame, policy: Policy) -> AgreementNumbers:
    """All numbers of a candidate table with the groups above."""
    every = with_choosers(candidates, policy)
    items = every[every["excluded"].isna()]
    by_number = tables.by(items, "number")
    of_both = by_number[by_number["group"].isin(NUMBERS)]["share"]
    reasons = every["excluded"].value_counts()
    return AgreementNumbers(
        overall=_overall(items, len(every) - len(items)),
        balanced_accuracy=float(of_both.mean()) if len(of_both) == len(NUMBERS) else math.nan,
        mean_log_ratio=float(items["margin"].mean()),
        by_number=by_number,
        by_attractors=tables.by(items, "attractors"),
        by_heuristics=tables.by(items, "heuristics"),
        by_distance=tables.by(items, "distance"),
        by_inverted=tables.by(items, "inverted"),
        by_type=tables.by(items, "type"),
        heuristics=tables.by_heuristic(items),
        baselines=tables.baselines(items),
        excluded=pd.DataFrame({"reason": reasons.index.astype("str"), "n": reasons.to_numpy()}),
    )


def in_group(items: pd.DataFrame, column: str, group: str) -> pd.DataFrame:
    """The rows of a table of items that form a group of `by_<column>`."""
    known = items[column].fillna(UNKNOWN) if column in items else pd.Series(UNKNOWN, items.index, name=column)
    return items[tables.group_names(known) == group]


def _overall(items: pd.DataFrame, excluded: int) -> pd.Series:
    row = tables.share(items["correct"], items["cluster"])
    low, high = wilson(row["right"], row["n"])
    counts = {"ties": int(items["tie"].sum()), "undecided": int(items["undecided"].sum()), "excluded": excluded}
    return pd.Series({**row, "wilson_low": low, "wilson_high": high, **counts}, dtype=object)


def as_json(numbers: AgreementNumbers) -> dict[str, Any]:
    """All numbers in a form for JSON: `accuracy`, its counts, and the groups by name. NaN becomes None."""
    overall = {str(name): _plain(value) for name, value in numbers.overall.items()}
    return {
        "accuracy": overall.pop("share"),
        **overall,
        "balanced_accuracy": _plain(numbers.balanced_accuracy),
        "mean_log_ratio": _plain(numbers.mean_log_ratio),
        **{name: _by_name(getattr(numbers, name)) for name in _TABLES},
        "excluded_because": {reason: int(n) for reason, n in numbers.excluded.itertuples(index=False)},
    }


def _by_name(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """The rows of a table by its first column."""
    name, *columns = table.columns
    rows = table.to_dict("records")
    return {str(row[name]): {str(column): _plain(row[column]) for column in columns} for row in rows}


def _plain(value: Any) -> Any:
    """A text, or a number of Python's own types; None for NaN."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    return None if math.isnan(value) else float(value)

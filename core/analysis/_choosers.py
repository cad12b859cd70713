"""Simpler ways to choose between two forms of a verb, item by item: surface heuristics and baselines."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd

from core.analysis.summary import CLUSTER
from core.metrics import METRICS
from core.policies import Policy

UNKNOWN = "unknown"
"""The value of a group that the file does not give."""
NONE = "none"
"""Prediction of a heuristic that does not apply; counts as wrong."""
NUMBERS = ("singular", "plural")
HEURISTICS: Mapping[str, str] = MappingProxyType(
    {
        "cls_noun": "the last noun before the verb",
        "cls_token": "the last word before the verb that shows a number",
        "fst_noun": "the first noun of the sentence",
        "com": "the number that most words before the verb show",
        "que_n": "the last noun before que",
    }
)
"""Columns of the surface heuristics, and where each takes the verb's number from."""
BASELINES: Mapping[str, str] = MappingProxyType(
    {
        "always_singular": "always the singular",
        "majority": "always the commoner number",
        "frequency": "the more frequent form",
    }
)
"""Choosers that do not look at the sentence."""

_GROUPS = (
    "number", "attractors", "heuristics", "distance", "inverted", "type", "frequency_correct", "frequency_wrong",
    *HEURISTICS,
)  # fmt: skip


def with_choosers(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """The decisions of an agreement set (`core.metrics`), with every group and the score of every simpler chooser.

    Absent or empty groups are `UNKNOWN`; an absent `heuristics` is counted over the heuristics known for every item.
    Each name in `HEURISTICS` and `BASELINES` has a column `<name>_right`, 0 to 1, NaN where the file lacks the
    information; the commoner number is that of the items that count. `frequency_tie` marks equally frequent forms,
    which count as ties do under the policy. Items with the same `cluster` are not independent.
    """
    items = METRICS["accuracy"].statistics(candidates, policy)
    items = items.assign(**{name: items[name].fillna(UNKNOWN) if name in items else UNKNOWN for name in _GROUPS})
    number = items["number"].where(items["number"].isin(NUMBERS))
    counts = number[items["excluded"].isna()].value_counts()
    commoner = max(NUMBERS, key=lambda name: counts.get(name, 0))
    right = pd.DataFrame({name: _right(items[name].mask(items[name] == UNKNOWN), number) for name in HEURISTICS})
    return items.assign(
        heuristics=items["heuristics"].where(items["heuristics"] != UNKNOWN, _counted(right)),
        **right.add_suffix("_right"),
        always_singular_right=_right("singular", number),
        majority_right=_right(commoner, number),
        **_by_frequency(items, policy),
        cluster=items[CLUSTER] if CLUSTER in items else items["item"],
    )


def _counted(right: pd.DataFrame) -> pd.Series:
    """How many of the heuristics that are known for every item are right, as text."""
    stated = right.loc[:, right.notna().all()]
    if stated.columns.empty:
        return pd.Series(UNKNOWN, right.index)
    return stated.sum(axis=1).astype(int).astype("str")


def _right(predicted: pd.Series | str, number: pd.Series) -> pd.Series:
    """1 where the number was predicted, 0 where not, NaN where either is missing."""
    known = number.notna() & (isinstance(predicted, str) or predicted.notna())
    return (number == predicted).astype("float64").where(known)


def _by_frequency(items: pd.DataFrame, policy: Policy) -> dict[str, pd.Series]:
    right, wrong = (pd.to_numeric(items[f"frequency_{which}"], "coerce") for which in ("correct", "wrong"))
    tied = {"half": 0.5, "correct": 1.0, "wrong": 0.0}[policy.ties]
    chosen = (right > wrong).astype("float64").mask(right == wrong, tied)
    return {"frequency_right": chosen.where(right.notna() & wrong.notna()), "frequency_tie": right == wrong}

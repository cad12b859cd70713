"""Tables of an agreement set: a model's share of right items group by group, compared with simpler choosers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd

from core.analysis.summary import CLUSTER
from core.metrics import METRICS
from core.policies import Policy
from core.statistics.intervals import over_items

BESIDE = ("always_singular", "frequency", "cls_noun")
"""Baselines shown next to the model's share in every row."""

_SHARE = ("n", "right", "share", "low", "high", "contrasts")
_MANY_ATTRACTORS = 3
_ALONE = 2
"""Distances up to this are bins of their own; longer ones fall in bins of doubling width."""
_FAR = 33

Place = tuple[float, str]
"""A group's position among the others, and its name."""


def by(items: pd.DataFrame, column: str) -> pd.DataFrame:
    """A row per group: group, `share`'s columns, ties, and the shares of the `BESIDE` choosers; empty if unknown."""
    known = (items[column] != UNKNOWN).any()
    names = group_names(items[column])
    order = dict.fromkeys(name for _, name in sorted(_places(items[column]).values())) if known else {}
    rows = [_group(name, items[names == name]) for name in order]
    return pd.DataFrame(rows, columns=["group", *_SHARE, "ties", *BESIDE])


def group_names(values: pd.Series) -> pd.Series:
    """The group of each value, named as in `by`. The name of the series decides the grouping."""
    return values.map({value: name for value, (_, name) in _places(values).items()})


def share(correct: pd.Series, clusters: pd.Series) -> dict[str, Any]:
    """How many items are right (ties as the policy counts them), with the interval over contrasts."""
    interval = over_items(correct, pd.Series(0, correct.index), clusters)
    numbers = (
        len(correct), float(correct.sum()), float(correct.mean()), interval.low, interval.high, interval.n_clusters,
    )  # fmt: skip
    return dict(zip(_SHARE, numbers, strict=True))


def by_heuristic(items: pd.DataFrame) -> pd.DataFrame:
    """The heuristics with a prediction in the file (columns: `core.analysis.agreement`)."""
    of_model = ["model_right", "model_share", "model_low", "model_high"]
    own = [name for name in _SHARE if name != "contrasts"]
    return pd.DataFrame(
        _heuristics(items), columns=["heuristic", "title", *own, "none", "model", "n_wrong", *of_model]
    )


def baselines(items: pd.DataFrame) -> pd.DataFrame:
    """The baselines that the file allows: baseline, title, n, right, share, ties, model."""
    return pd.DataFrame(_baselines(items), columns=["baseline", "title", "n", "right", "share", "ties", "model"])


def _attractors(count: float) -> Place:
    return (count, f"{count:g}") if count < _MANY_ATTRACTORS else (_MANY_ATTRACTORS, f"{_MANY_ATTRACTORS} or more")


def _distance(words: float) -> Place:
    if words <= _ALONE:
        return words, f"{words:g}"
    if words >= _FAR:
        return _FAR, f"{_FAR} or more"
    last = 2 ** math.ceil(math.log2(words))
    return last, f"{last // 2 + 1} to {last}"


_PLACE_IN: Mapping[str, Callable[[float], Place]] = MappingProxyType(
    {"attractors": _attractors, "distance": _distance, "heuristics": lambda count: (count, f"{count:g}")}
)
"""Columns that hold whole numbers."""


def _places(values: pd.Series) -> dict[str, Place]:
    """The place of each value: numbers in order, words as in `NUMBERS`, then A to Z; unknown last."""
    return {value: _placed(value, _PLACE_IN.get(str(values.name))) for value in values.unique()}


def _placed(value: str, place: Callable[[float], Place] | None) -> Place:
    if value == UNKNOWN:
        return math.inf, UNKNOWN
    if place is None:
        return (NUMBERS.index(value) if value in NUMBERS else len(NUMBERS)), value
    try:
        return place(float(int(value)))
    except ValueError:
        return math.inf, UNKNOWN


def _group(name: str, part: pd.DataFrame) -> dict[str, Any]:
    beside = {chooser: float(part[f"{chooser}_right"].mean()) for chooser in BESIDE}
    return {"group": name, **share(part["correct"], part["cluster"]), "ties": int(part["tie"].sum()), **beside}


def _heuristics(items: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for name, title in HEURISTICS.items():
        stated = items[items[f"{name}_right"].notna()]
        if stated.empty:
            continue
        missed = stated[stated[f"{name}_right"] == 0]
        model = share(missed["correct"], missed["cluster"])
        yield {
            "heuristic": name,
            "title": title,
            **share(stated[f"{name}_right"], stated["cluster"]),
            "none": int((stated[name] == NONE).sum()),
            "model": float(stated["correct"].mean()),
            "n_wrong": len(missed),
            **{f"model_{column}": model[column] for column in ("right", "share", "low", "high")},
        }


def _baselines(items: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for name, title in BASELINES.items():
        stated = items[items[f"{name}_right"].notna()]
        if stated.empty:
            continue
        right = stated[f"{name}_right"]
        yield {
            "baseline": name,
            "title": title,
            "n": len(stated),
            "right": float(right.sum()),
            "share": float(right.mean()),
            "ties": int(stated["frequency_tie"].sum()) if name == "frequency" else 0,
            "model": float(stated["correct"].mean()),
        }


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

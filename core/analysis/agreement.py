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

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from core import measures
from core.analysis.items import forms
from core.analysis.summary import CLUSTER
from core.metrics import METRICS
from core.policies import Policy
from core.statistics.intervals import over_items, wilson

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
    by_number = by(items, "number")
    of_both = by_number[by_number["group"].isin(NUMBERS)]["share"]
    reasons = every["excluded"].value_counts()
    return AgreementNumbers(
        overall=_overall(items, len(every) - len(items)),
        balanced_accuracy=float(of_both.mean()) if len(of_both) == len(NUMBERS) else math.nan,
        mean_log_ratio=float(items["margin"].mean()),
        by_number=by_number,
        by_attractors=by(items, "attractors"),
        by_heuristics=by(items, "heuristics"),
        by_distance=by(items, "distance"),
        by_inverted=by(items, "inverted"),
        by_type=by(items, "type"),
        heuristics=by_heuristic(items),
        baselines=baselines(items),
        excluded=pd.DataFrame({"reason": reasons.index.astype("str"), "n": reasons.to_numpy()}),
    )


def in_group(items: pd.DataFrame, column: str, group: str) -> pd.DataFrame:
    """The rows of a table of items that form a group of `by_<column>`."""
    known = items[column].fillna(UNKNOWN) if column in items else pd.Series(UNKNOWN, items.index, name=column)
    return items[group_names(known) == group]


def _overall(items: pd.DataFrame, excluded: int) -> pd.Series:
    row = share(items["correct"], items["cluster"])
    low, high = wilson(row["right"], row["n"])
    counts = {"ties": int(items["tie"].sum()), "undecided": int(items["undecided"].sum()), "excluded": excluded}
    return pd.Series({**row, "wilson_low": low, "wilson_high": high, **counts}, dtype=object)


def as_json(numbers: AgreementNumbers) -> dict[str, Any]:
    """All numbers in a form for JSON: `accuracy`, its counts, and the groups by name. NaN becomes None."""
    means = {"balanced_accuracy": numbers.balanced_accuracy, "mean_log_ratio": numbers.mean_log_ratio}
    whole = pd.Series({"accuracy": numbers.overall["share"], **numbers.overall.drop("share"), **means}, dtype=object)
    return {
        **{str(name): value for name, value in whole.where(whole.notna(), None).items()},
        **{name: _by_name(getattr(numbers, name)) for name in _TABLES},
        "excluded_because": {reason: int(n) for reason, n in numbers.excluded.itertuples(index=False)},
    }


def _by_name(table: pd.DataFrame) -> dict[Any, dict[Any, Any]]:
    """The rows of a table by its first column."""
    rows = table.set_index(table.columns[0]).astype(object)
    return rows.where(rows.notna(), None).to_dict("index")


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


_DECISIONS = ("wrong", "tie", "right")


@dataclass(frozen=True, slots=True)
class Flips:
    """What counting the end of the word changes.

    `n` items count both ways; in `prefixed` of all pairs, one form is a prefix of the other. `items` has one row per
    item whose decision changes, the largest change first: item, right, wrong (the forms), word, form (`right`,
    `wrong` or `tie`, with the end of the word and without), margin_word, margin_form (bits).
    """

    n: int
    prefixed: int
    items: pd.DataFrame


def flips(word: pd.DataFrame, form: pd.DataFrame, policy: Policy) -> Flips:
    """Compare candidate tables of the same items with the end of the word (`word`) and without it (`form`)."""
    margins = [_margins(table, policy) for table in (word, form)]
    both = pd.concat(margins, axis=1, keys=["word", "form"], join="inner").dropna()
    decisions = both.map(np.sign).astype(int)
    changed = both[decisions["word"] != decisions["form"]]
    named = decisions.loc[changed.index].map(lambda sign: _DECISIONS[sign + 1])
    pairs = forms(word)
    items = named.assign(
        margin_word=measures.bits(changed["word"].to_numpy()), margin_form=measures.bits(changed["form"].to_numpy())
    )
    items = pairs.join(items, how="inner")
    change = (items["margin_word"] - items["margin_form"]).abs()
    order = change.sort_values(ascending=False, kind="stable").index
    return Flips(len(both), _prefixed(pairs), items.loc[order].reset_index())


def _margins(candidates: pd.DataFrame, policy: Policy) -> pd.Series:
    """By item, in nats; missing where the item does not count."""
    margins: pd.Series = METRICS["accuracy"].statistics(candidates, policy).set_index("item")["margin"]
    return margins


def _prefixed(pairs: pd.DataFrame) -> int:
    """In how many pairs one form is a prefix of the other."""
    known = pairs.dropna()
    both = zip(known["right"], known["wrong"], strict=True)
    return sum(a != b and (a.startswith(b) or b.startswith(a)) for a, b in both)

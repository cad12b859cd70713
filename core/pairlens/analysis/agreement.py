"""How often a model makes a verb agree with its head, and how simpler choosers do on the same items.

The items are two forms of one verb after the same prefix (Linzen et al. 2016; Gulordava et al. 2018). Looking at the
wrong noun gives the right answer for most, so that accuracy alone means little: Li, Wisniewski & Crabbé (2021, 2023)
break it down by how many of five surface heuristics already give the answer.

The candidate table of an agreement set (`pairlens.metrics`) has the groups that `pairlens.tasks.agreement` describes,
all of them text; any may be missing, and a value may be `unknown`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pairlens import measures
from pairlens.analysis.items import forms
from pairlens.analysis.summary import CLUSTER
from pairlens.metrics import METRICS
from pairlens.policies import Policy
from pairlens.statistics.intervals import over_items, wilson
from pairlens.tasks._agreement_pairs import UNKNOWN

NUMBERS = ("singular", "plural")
HEURISTICS = {
    "cls_noun": "the last noun before the verb",
    "cls_token": "the last word before the verb that shows a number",
    "fst_noun": "the first noun of the sentence",
    "com": "the number that most words before the verb show",
    "que_n": "the last noun before que",
}
"""Columns of the surface heuristics, and where each takes the verb's number from."""
BASELINES = {
    "always_singular": "always the singular",
    "majority": "always the commoner number",
    "frequency": "the more frequent form",
}
"""Choosers that do not look at the sentence."""
BESIDE = {name: (BASELINES | HEURISTICS)[name] for name in ("always_singular", "frequency", "cls_noun")}
"""Those shown next to the model's share in every row."""
GROUPS = ("number", "attractors", "heuristics", "distance", "inverted", "type")
_DISTANCES = ("0", "1", "2", "3 to 4", "5 to 8", "9 to 16", "17 to 32", "33 or more")
_OF_NUMBERS: Mapping[str, Mapping[int, str]] = {
    "attractors": {0: "0", 1: "1", 2: "2", 3: "3 or more"},
    "heuristics": {number: str(number) for number in range(len(HEURISTICS) + 1)},
    "distance": dict(zip((0, 1, 2, 3, 5, 9, 17, 33), _DISTANCES, strict=True)),
}
"""The groups of columns that hold whole numbers, by the least number in each."""
_NEEDED = (*GROUPS, "frequency_correct", "frequency_wrong", *HEURISTICS)
_SHARE = ("n", "right", "share", "low", "high", "contrasts")
_OF_BASELINES = ("baseline", "title", "n", "right", "share", "ties", "model")
_OF_HEURISTICS = (
    *("heuristic", "title", "n", "right", "share", "low", "high", "none", "model"),
    *("n_wrong", "model_right", "model_share", "model_low", "model_high"),
)


@dataclass(frozen=True, slots=True)
class AgreementNumbers:
    """A model's numbers on an agreement set, and those of simpler choosers on the same items.

    Shares are between 0 and 1; an exact tie counts as the policy says, for the model and for frequencies. Intervals
    are 95 % intervals over contrasts (`pairlens.statistics.intervals.over_items`).

    overall            n, right, share, low, high, contrasts, wilson_low, wilson_high (as if items were independent),
                       ties, undecided (decided by less than 1e-4 nats) and excluded (items that do not count)
    balanced_accuracy  the mean of the two numbers' shares; NaN unless both occur
    mean_log_ratio     mean of log p(right form) - log p(wrong form), nats (per token if the policy compares means)
    by                 for each of `GROUPS` one row per group: group, n, right, share, low, high, contrasts, ties, and
                       the shares that `BESIDE` reach. Items without a value in the file come last, as `unknown`; the
                       table is empty if none has one
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
    by: Mapping[str, pd.DataFrame]
    heuristics: pd.DataFrame
    baselines: pd.DataFrame
    excluded: pd.DataFrame


def agreement_numbers(candidates: pd.DataFrame, policy: Policy) -> AgreementNumbers:
    """All numbers of a candidate table with the groups above."""
    every = _with_choosers(candidates, policy)
    items = every[every["excluded"].isna()]
    tables = {name: _by(items, name) for name in GROUPS}
    of_both = tables["number"].loc[tables["number"]["group"].isin(NUMBERS), "share"]
    reasons = every["excluded"].value_counts()
    return AgreementNumbers(
        overall=_overall(items, len(every) - len(items)),
        balanced_accuracy=float(of_both.mean()) if len(of_both) == len(NUMBERS) else math.nan,
        mean_log_ratio=float(items["margin"].mean()),
        by=tables,
        heuristics=_alone(items, HEURISTICS, _OF_HEURISTICS),
        baselines=_alone(items, BASELINES, _OF_BASELINES),
        excluded=pd.DataFrame({"reason": reasons.index.astype("str"), "n": reasons.to_numpy()}),
    )


def _overall(items: pd.DataFrame, excluded: int) -> pd.Series:
    row = _share(items["correct"], items["cluster"])
    low, high = wilson(row["right"], row["n"])
    counts = {"ties": int(items["tie"].sum()), "undecided": int(items["undecided"].sum()), "excluded": excluded}
    return pd.Series({**row, "wilson_low": low, "wilson_high": high, **counts}, dtype=object)


def as_json(numbers: AgreementNumbers) -> dict[str, Any]:
    """All numbers in a form for JSON: `accuracy`, its counts, and the groups by name. NaN becomes None."""
    means = {"balanced_accuracy": numbers.balanced_accuracy, "mean_log_ratio": numbers.mean_log_ratio}
    whole = pd.Series({"accuracy": numbers.overall["share"], **numbers.overall.drop("share"), **means}, dtype=object)
    tables = {f"by_{name}": table for name, table in numbers.by.items()}
    return {
        **{str(name): value for name, value in whole.where(whole.notna(), None).items()},
        **{name: _by_name(table) for name, table in tables.items()},
        "heuristics": _by_name(numbers.heuristics),
        "baselines": _by_name(numbers.baselines),
        "excluded_because": {reason: int(n) for reason, n in numbers.excluded.itertuples(index=False)},
    }


def _by_name(table: pd.DataFrame) -> dict[Any, dict[Any, Any]]:
    rows = table.set_index(table.columns[0]).astype(object)
    return rows.where(rows.notna(), None).to_dict("index")


def _by(items: pd.DataFrame, column: str) -> pd.DataFrame:
    """A row per group; none if no item has a value."""
    groups = items.groupby(group_names(items[column]), observed=True) if (items[column] != UNKNOWN).any() else ()
    rows = [
        {
            "group": str(name),
            **_share(part["correct"], part["cluster"]),
            "ties": int(part["tie"].sum()),
            **{chooser: float(part[f"{chooser}_right"].mean()) for chooser in BESIDE},
        }
        for name, part in groups
    ]
    return pd.DataFrame(rows, columns=["group", *_SHARE, "ties", *BESIDE])


def group_names(values: pd.Series) -> pd.Series:
    """The group of each value, as an ordered category; the name of the series decides the grouping.

    Numbers in order, words as in `NUMBERS`, then A to Z; what is unknown, or no whole number, is last.
    """
    if not (starts := _OF_NUMBERS.get(str(values.name))):
        words = [word for word in sorted({*values}) if word not in (*NUMBERS, UNKNOWN)]
        return values.astype(pd.CategoricalDtype([*NUMBERS, *words, UNKNOWN], ordered=True))
    numbers = pd.to_numeric(values, errors="coerce")
    whole = numbers.where(numbers % 1 == 0)
    groups = pd.cut(whole, [*starts, math.inf], right=False, labels=[*starts.values()])
    return groups.cat.add_categories(UNKNOWN).fillna(UNKNOWN)


def in_group(items: pd.DataFrame, column: str, group: str) -> pd.DataFrame:
    """The rows of a table of items that form a group of `AgreementNumbers.by`."""
    known = items[column].fillna(UNKNOWN) if column in items else pd.Series(UNKNOWN, items.index, name=column)
    return items[group_names(known) == group]


def _share(correct: pd.Series, clusters: pd.Series) -> dict[str, Any]:
    """How many items are right (ties as the policy counts them), with the interval over contrasts."""
    interval = over_items(correct, pd.Series(0, correct.index), clusters)
    bounds = (interval.low, interval.high, interval.n_clusters)
    return dict(zip(_SHARE, (len(correct), float(correct.sum()), float(correct.mean()), *bounds), strict=True))


def _alone(items: pd.DataFrame, titles: Mapping[str, str], columns: Sequence[str]) -> pd.DataFrame:
    """These columns of each chooser, the first of which is its name, on the items for which its choice is known."""
    rows = []
    for name, title in titles.items():
        stated = items[items[f"{name}_right"].notna()]
        if stated.empty:
            continue
        right = stated[f"{name}_right"]
        missed = stated[right == 0]
        there = _share(missed["correct"], missed["cluster"])
        rows.append(
            {
                **{columns[0]: name, "title": title},
                **_share(right, stated["cluster"]),
                "ties": int(stated["frequency_tie"].sum()) if name == "frequency" else 0,
                "none": int((stated[name] == "none").sum()) if name in HEURISTICS else 0,
                "model": float(stated["correct"].mean()),
                "n_wrong": len(missed),
                **{f"model_{column}": number for column, number in there.items()},
            }
        )
    return pd.DataFrame(rows, columns=[*columns])


def _with_choosers(candidates: pd.DataFrame, policy: Policy) -> pd.DataFrame:
    """The decisions of an agreement set (`pairlens.metrics`), with every group and the score of every simpler
    chooser.

    Absent or empty groups are `UNKNOWN`; an absent `heuristics` is counted over the heuristics known for every item.
    Each name in `HEURISTICS` and `BASELINES` has a column `<name>_right`, 0 to 1, NaN where the file lacks the
    information; the commoner number is that of the items that count. `frequency_tie` marks equally frequent forms,
    which count as ties do under the policy. Items with the same `cluster` are not independent.
    """
    items = METRICS["accuracy"].statistics(candidates, policy)
    items = items.assign(**{name: items[name].fillna(UNKNOWN) if name in items else UNKNOWN for name in _NEEDED})
    number = items["number"].where(items["number"].isin(NUMBERS))
    counts = number[items["excluded"].isna()].value_counts()
    commoner = max(NUMBERS, key=lambda name: counts.get(name, 0))
    predicted = {name: items[name].mask(items[name] == UNKNOWN) for name in HEURISTICS}
    right = pd.DataFrame({name: _right(number, each).where(each.notna()) for name, each in predicted.items()})
    return items.assign(
        heuristics=items["heuristics"].where(items["heuristics"] != UNKNOWN, _counted(right)),
        **right.add_suffix("_right"),
        always_singular_right=_right(number, "singular"),
        majority_right=_right(number, commoner),
        **_by_frequency(items, policy),
        cluster=items[CLUSTER] if CLUSTER in items else items["item"],
    )


def _counted(right: pd.DataFrame) -> pd.Series:
    """How many of the heuristics that are known for every item are right, as text."""
    stated = right.loc[:, right.notna().all()]
    if stated.columns.empty:
        return pd.Series(UNKNOWN, right.index)
    return stated.sum(axis=1).astype(int).astype("str")


def _right(number: pd.Series, predicted: pd.Series | str) -> pd.Series:
    """1 where the number was predicted, 0 where not, NaN where there is no number."""
    return (number == predicted).astype("float64").where(number.notna())


def _by_frequency(items: pd.DataFrame, policy: Policy) -> dict[str, pd.Series]:
    right, wrong = (pd.to_numeric(items[f"frequency_{which}"], "coerce") for which in ("correct", "wrong"))
    tied = {"half": 0.5, "correct": 1.0, "wrong": 0.0}[policy.ties]
    chosen = (right > wrong).astype("float64").mask(right == wrong, tied)
    return {"frequency_right": chosen.where(right.notna() & wrong.notna()), "frequency_tie": right == wrong}


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
    statistics = {
        name: METRICS["accuracy"].statistics(table, policy).set_index("item")["margin"]
        for name, table in (("word", word), ("form", form))
    }
    both = pd.concat(statistics, axis=1, join="inner").dropna()
    decisions = both.map(np.sign)
    changed = both[decisions["word"] != decisions["form"]]
    named = decisions.loc[changed.index].map({-1.0: "wrong", 0.0: "tie", 1.0: "right"}.get)
    margins = {f"margin_{name}": measures.bits(changed[name].to_numpy()) for name in both}
    pairs = forms(word)
    items = pairs.join(named.assign(**margins), how="inner")
    change = (items["margin_word"] - items["margin_form"]).abs()
    order = change.sort_values(ascending=False, kind="stable").index
    return Flips(len(both), _prefixed(pairs), items.loc[order].reset_index())


def _prefixed(pairs: pd.DataFrame) -> int:
    """In how many pairs one form is a prefix of the other."""
    known = pairs.dropna()
    both = zip(known["right"], known["wrong"], strict=True)
    return sum(a != b and (a.startswith(b) or b.startswith(a)) for a, b in both)

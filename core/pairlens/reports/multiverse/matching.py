"""Which way gives a published number: every way to print a number of a run, nearest to the published number first."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from pairlens import measures
from pairlens.analysis.items import is_right
from pairlens.analysis.summary import mean_of_means, metrics_under
from pairlens.errors import InputError
from pairlens.metrics import METRICS
from pairlens.policies import CHOICES
from pairlens.reports.multiverse.adding_up import Compared, Scores
from pairlens.reports.multiverse.layout import Layout, Way
from pairlens.rules import RULES
from pairlens.statistics.candidates import Reals, reals, sentence_values
from pairlens.types import Metric, Task

COLUMNS = ("of", "unit", "label", "presets", "ties_count", "value", "grain")
"""`label`, `presets`: the way; `ties_count`: the tie rule, empty where none matters; `grain`: for a mean over items
that are right or wrong, the least difference between two such values, in the unit of the value; 0 for any other."""
_GREATEST = {"%": 100.0, "share": 1.0}
_FINEST = 1_000_000
"""Means that can take more values than this are treated as if they could take any."""


@dataclass(frozen=True)
class Match:
    """The numbers that a published one was compared with, nearest first (columns: `COLUMNS`, `matches`, `near`).

    `matches`: the value rounds to the number; `near`: to one of the `possible` numbers with as many digits from `low`
    to `high`, of which `reached` are given by some way: so often an unrelated number is matched. Where all shares
    near it are coarser than its last digit, possible are those that a share of as many items can be (`kind`:
    `shares`) or, if it is none of them, all the `others`; elsewhere `any`.
    """

    number: str
    table: pd.DataFrame
    low: str
    high: str
    possible: int
    reached: int
    kind: str

    @property
    def hits(self) -> pd.DataFrame:
        """The ways that give the number, to its printed digits."""
        return self.table[self.table["matches"]]


def printable(layout: Layout, scores: Scores) -> pd.DataFrame:
    """Every number of the run under every stored way, in every unit that papers print (columns: `COLUMNS`).

    `of`: a metric and over what it is a mean, or a mean surprisal (of all, right, other candidates, their
    difference), or the perplexity of all tokens. `unit`: `%`, `share`, `bits`, `nats` (per token, word, ...) or
    nothing.
    """
    rows: list[tuple[str, str, str, str, str, float, float]] = []
    for way in layout.stored:
        compared = scores.compared(way)
        if compared.reason:
            continue
        label, presets = layout.label(way), ", ".join(layout.presets(way))
        for name in metrics_under(layout.task, way.rule):
            for of, unit, ties, value, grain in _of_metric(METRICS[name], layout, compared):
                rows.append((of, unit, label, presets, ties, value, grain))
        for of, unit, value in _surprisals(way, compared):
            rows.append((of, unit, label, presets, "", value, 0.0))
    table = pd.DataFrame(rows, columns=[*COLUMNS])
    known: pd.DataFrame = table[np.isfinite(table["value"])]
    return known.reset_index(drop=True)


def match(table: pd.DataFrame, number: str) -> Match:
    """Compare a printed number (`74.3`, `0.743`, `74,3 %`; signs are ignored) with a table of `printable`."""
    wanted: Printed = printed(number)
    tried = table[table["unit"] == "%"] if wanted.percent else table
    values = tried["value"].to_numpy(np.float64)
    places, (low, high) = wanted.roundings(values), wanted.window
    there = (places >= low) & (places <= high)
    shares = tried[np.any(there, axis=1) & (tried["unit"].map(_GREATEST) >= wanted.size).to_numpy()]
    if len(shares):
        high = min(high, round(shares["unit"].map(_GREATEST).max() / wanted.step))
        there &= places <= high
    of_shares = _of_shares(shares["grain"].unique(), wanted, low, high)
    possible, kind = high - low + 1, "any"
    if len(of_shares):
        kind = "shares" if wanted.place in of_shares else "others"
        there &= np.isin(places, of_shares, invert=kind == "others")
        possible = len(of_shares) if kind == "shares" else possible - len(of_shares)
    marked = tried.assign(matches=wanted.matches(values), near=np.any(there, axis=1))
    nearest = marked.iloc[np.argsort(wanted.gaps(values), kind="stable")].reset_index(drop=True)
    first, last = (f"{end * wanted.step:.{wanted.digits}f}" for end in (low, high))
    return Match(number, nearest, first, last, possible, len(np.unique(places[there])), kind)


def _of_shares(grains: Reals, wanted: Printed, low: int, high: int) -> Reals:
    """The multiples of these grains as they are printed, from `low` to `high`; none if they are all the numbers."""
    if not len(grains) or grains.min() <= wanted.step:
        return np.empty(0)
    first, last = (low - 1) * wanted.step, (high + 1) * wanted.step
    multiples = [grain * np.arange(first // grain, last // grain + 1) for grain in grains]
    places = np.unique(wanted.roundings(np.concatenate(multiples)))
    return np.asarray(places[(places >= low) & (places <= high)], np.float64)


def _of_metric(metric: Metric, layout: Layout, compared: Compared) -> Iterator[tuple[str, str, str, float, float]]:
    """A metric under each tie rule (unnamed if there are no ties), with each aggregation, in each unit."""
    tied = metric.statistics(compared.candidates, compared.policy)["tie"].any()
    for ties in CHOICES["ties"] if tied else ("",):
        table = metric.statistics(compared.candidates, compared.policy.but(ties=ties or layout.policy.ties))
        for aggregation, value, grain in _aggregated(metric, table[table["excluded"].isna()], layout.task):
            for unit, factor in {"share": (("%", 100.0), ("share", 1.0))}.get(
                metric.scale, ((metric.scale.replace("correlation", ""), 1.0),)
            ):
                yield f"{metric.title}{aggregation}", unit, ties, factor * value, factor * grain


def _aggregated(metric: Metric, counted: pd.DataFrame, task: Task) -> Iterator[tuple[str, float, float]]:
    """Over what it is a mean, if it is one, its value and its grain."""
    if not metric.averages:
        yield "", metric.value(counted), 0.0
        return
    for levels in dict.fromkeys((tuple(task.averaged), ())):
        over = levels[-1] if levels else "items"
        yield f", mean over {over}", mean_of_means(counted, levels), _grain(counted, levels)


def _grain(counted: pd.DataFrame, levels: Sequence[str]) -> float:
    """All means of means over these levels are multiples of this if items are right, half right or wrong; 0: unknown.

    An item of a group of n, one of m groups, counts 1 / (m n): 1 over the least common multiple of these products.
    Ties do not count: only what another model could get matters.
    """
    whole = counted.loc[~counted["tie"], "correct"] * 2
    if counted.empty or (whole % 1).any():
        return 0.0
    sizes = counted.groupby([*levels], sort=False).size() if levels else pd.Series([len(counted)])
    for depth in range(len(levels) - 1, 0, -1):
        sizes = sizes * sizes.groupby(level=[*range(depth)], sort=False).transform("size")
    top = sizes.index.get_level_values(0).nunique() if levels else 1
    multiple = math.lcm(*(sizes * top).unique().tolist()) * (2 if (whole % 2).any() else 1)
    return 1 / multiple if multiple <= _FINEST else 0.0


def _surprisals(way: Way, compared: Compared) -> Iterator[tuple[str, str, float]]:
    """Mean surprisals in bits and nats, and perplexities: what, unit, value. They depend on no tie rule."""
    table = compared.candidates
    values = sentence_values(table, way.policy)
    right = is_right(table).to_numpy()
    sides = {"all candidates": np.ones(len(table), bool), "the right candidates": right, "the others": ~right}
    if not right.any():
        sides = {"all candidates": sides["all candidates"]}
    per = {"sum": "", "slor": " (SLOR)"}.get(way.added_up, f" per {way.added_up}")
    means = {name: float(np.nanmean(values[rows])) for name, rows in sides.items() if np.isfinite(values[rows]).any()}
    if {"the right candidates", "the others"} <= set(means):
        means["right minus others"] = means["the right candidates"] - means["the others"]
    for name, nats in means.items():
        yield f"mean over {name}", f"bits{per}", measures.surprisal(nats)
        yield f"mean over {name}", f"nats{per}", -nats
    if way.added_up == "token" and not RULES[way.rule].subtracts:
        counted = table[np.isfinite(reals(table["logprob"]))]
        yield (
            "perplexity of all tokens", "",
            float(measures.perplexity(counted["logprob"].sum(), counted["n_scored"].sum())),
        )  # fmt: skip


_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)")
_HALF = 0.5 + 1e-9
"""Half a unit of the last digit, with a tolerance: decimals such as 74.35 are not exact in binary."""
_NEAR = 0.015
"""What counts as near a number, as a share of its size: narrow beside the differences between published numbers, so
that those are about as frequent everywhere in it, and wide enough for a count."""


@dataclass(frozen=True, slots=True)
class Printed:
    """The absolute value of a printed number, its digits after the point, and whether it has a per cent sign."""

    size: float
    digits: int
    percent: bool

    @property
    def step(self) -> float:
        return float(10.0**-self.digits)

    @property
    def place(self) -> int:
        """The number in units of its last digit."""
        return round(self.size / self.step)

    @property
    def window(self) -> tuple[int, int]:
        """The least and the greatest number near it, in units of the last digit."""
        reach = max(1, round(_NEAR * self.place))
        return max(0, self.place - reach), self.place + reach

    def gaps(self, values: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.abs(np.abs(np.asarray(values, np.float64)) - self.size), np.float64)

    def matches(self, values: ArrayLike) -> NDArray[np.bool_]:
        """Whether each absolute value rounds to the number at its printed digits."""
        return np.asarray(self.gaps(values) <= self.step * _HALF, np.bool_)

    def roundings(self, values: ArrayLike) -> NDArray[np.float64]:
        """The two numbers that each value may be printed as, in last digits (they differ halfway): (values, 2)."""
        places = np.abs(np.asarray(values, np.float64)) / self.step
        return np.column_stack([np.ceil(places - _HALF), np.floor(places + _HALF)])


def printed(number: str) -> Printed:
    """Parse `39.88`, `-14,07` or `74.3 %`; decimal commas are accepted. InputError if it is not a number."""
    text = number.strip().lstrip("+-−").replace(",", ".").strip()
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InputError(f"'{number}' is not a number such as 39.88.")
    return Printed(float(match[1]), len(match[1].partition(".")[2]), bool(match[2]))

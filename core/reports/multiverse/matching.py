"""Which way gives a published number: every way to print a number of a run, nearest to the published number first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core import measures
from core.analysis.forms import is_right
from core.analysis.printed import Printed, printed
from core.analysis.summary import mean_of_means, metrics_under
from core.metrics import METRICS
from core.policies import CHOICES
from core.reports.multiverse.adding_up import Compared, Scores
from core.reports.multiverse.layout import Layout
from core.reports.multiverse.ways import Way
from core.rules import RULES
from core.statistics.candidates import Reals, reals, sentence_values
from core.types import Metric, Task

COLUMNS = ("of", "unit", "label", "presets", "ties_count", "value")
"""`label`, `presets`: the way; `ties_count`: the tie rule, empty where none matters."""


@dataclass(frozen=True)
class Match:
    """The numbers that a published one was compared with, nearest first (columns: `COLUMNS` and `matches`).

    `reached` of the `possible` numbers with as many digits in the range of the values are given by some way: the
    chance of a match for a random number.
    """

    number: str
    table: pd.DataFrame
    reached: int
    possible: int

    @property
    def hits(self) -> pd.DataFrame:
        """The ways that give the number, to its printed digits."""
        return self.table[self.table["matches"]]


def printable(layout: Layout, scores: Scores) -> pd.DataFrame:
    """Every number of the run under every stored way, in every unit that papers print (columns: `COLUMNS`).

    `of`: a metric and over what it is a mean, or the mean surprisal of all candidates, of the right ones, of the
    others, and the difference, or the perplexity of all tokens. `unit`: `%`, `share`, `bits`, `nats` (per token, per
    word, ... as the way says) or nothing.
    """
    rows: list[tuple[str, str, str, str, str, float]] = []
    for way in layout.stored:
        compared = scores.compared(way)
        if compared.reason:
            continue
        label, presets = layout.label(way), ", ".join(layout.presets(way))
        rows += [(of, unit, label, presets, ties, value) for of, unit, ties, value in _of_way(layout, way, compared)]
    table = pd.DataFrame(rows, columns=[*COLUMNS])
    known: pd.DataFrame = table[np.isfinite(table["value"])]
    return known.reset_index(drop=True)


def match(table: pd.DataFrame, number: str) -> Match:
    """Compare a printed number (`74.3`, `0.743`, `74,3 %`) with a table of `printable`.

    Signs are ignored, since papers print surprisals and log-probabilities. InputError if `number` is not a number.
    """
    wanted: Printed = printed(number)
    tried = table[table["unit"] == "%"] if wanted.percent else table
    values = tried["value"].to_numpy(np.float64)
    order = np.argsort(wanted.gaps(values), kind="stable")
    found = tried.iloc[order].assign(matches=wanted.matches(values)[order])
    return Match(number, found.reset_index(drop=True), *wanted.coverage(_near(values, wanted)))


def _near(values: Reals, wanted: Printed) -> Reals:
    """The values of the number's order of magnitude, so that chance does not depend on large perplexities."""
    sizes = np.abs(values)
    return np.asarray(sizes[(sizes >= wanted.size / 2) & (sizes <= wanted.size * 2)], np.float64)


def _of_way(layout: Layout, way: Way, compared: Compared) -> Iterator[tuple[str, str, str, float]]:
    for name in metrics_under(layout.task, way.rule):
        yield from _of_metric(METRICS[name], layout, compared)
    yield from _surprisals(way, compared)


def _of_metric(metric: Metric, layout: Layout, compared: Compared) -> Iterator[tuple[str, str, str, float]]:
    """A metric under each tie rule (unnamed if there are no ties), with each aggregation, in each unit."""
    tied = metric.statistics(compared.candidates, compared.policy)["tie"].any()
    for ties in CHOICES["ties"] if tied else ("",):
        table = metric.statistics(compared.candidates, compared.policy.but(ties=ties or layout.policy.ties))
        for aggregation, value in _aggregated(metric, table[table["excluded"].isna()], layout.task):
            for unit, factor in {"share": (("%", 100.0), ("share", 1.0))}.get(
                metric.scale, ((metric.scale.replace("correlation", ""), 1.0),)
            ):
                yield f"{metric.title}{aggregation}", unit, ties, factor * value


def _aggregated(metric: Metric, counted: pd.DataFrame, task: Task) -> Iterator[tuple[str, float]]:
    if not metric.averages:
        yield "", metric.value(counted)
        return
    if task.averaged:
        yield f", mean over {task.averaged[-1]}", mean_of_means(counted, task.averaged)
    yield ", mean over items", mean_of_means(counted, [])


def _surprisals(way: Way, compared: Compared) -> Iterator[tuple[str, str, str, float]]:
    """Mean surprisals in bits and nats, and perplexities, which depend on no tie rule."""
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
        yield f"mean over {name}", f"bits{per}", "", measures.surprisal(nats)
        yield f"mean over {name}", f"nats{per}", "", -nats
    if way.added_up == "token" and not RULES[way.rule].subtracts:
        counted = table[np.isfinite(reals(table["logprob"]))]
        yield (
            "perplexity of all tokens", "", "",
            float(measures.perplexity(counted["logprob"].sum(), counted["n_scored"].sum())),
        )  # fmt: skip

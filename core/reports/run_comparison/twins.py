"""Runs that are the same under two names: the same weights, or the same scores altogether."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from core.reports.run_comparison.basis import differing
from core.reports.run_comparison.chosen import Run

_OF_JUDGEMENT = ("sentence_value", "ties", "first_token")
"""Choices that move numbers although scores are the same: `one` and `none` differ in averages only."""


@dataclass(frozen=True, slots=True)
class Twins:
    """Two runs whose weights are the same files, under two names or with the same scores.

    `scores`: whether everything that determines a log-probability is the same (the fingerprint). `expected`: whether
    the same question was asked too, so that all numbers must be the same; `alike` says whether they are.
    """

    first: Run
    second: Run
    scores: bool
    expected: bool
    alike: bool


def twins(runs: Sequence[Run]) -> list[Twins]:
    """Every two of these runs that are twins, in order.

    One model under one name is no surprise if it was scored in two ways, or asked about other items.
    """
    pairs = [_compared(one, other) for one, other in combinations(runs, 2) if _same(one, other, "weights")]
    return [two for two in pairs if _surprising(two)]


def _surprising(two: Twins) -> bool:
    same_name = two.first.manifest["model"] == two.second.manifest["model"]
    return not same_name or (two.scores and not differing(two.first, two.second))


def _compared(one: Run, other: Run) -> Twins:
    scores = _same(one, other, "fingerprint")
    judged = all(getattr(one.policy, name) == getattr(other.policy, name) for name in _OF_JUDGEMENT)
    expected = scores and judged and not differing(one, other)
    columns = ["name", "group_by", "group", "over", "value", "n"]
    tables = [run.metrics[columns].sort_values(columns[:4]).reset_index(drop=True) for run in (one, other)]
    return Twins(one, other, scores, expected, expected and tables[0].equals(tables[1]))


def _same(one: Run, other: Run, field: str) -> bool:
    return bool(one.manifest[field]) and one.manifest[field] == other.manifest[field]

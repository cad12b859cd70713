"""Two models on the same examples: how far their SS and LMS lie apart, and whether by more than chance.

Intervals of two models that overlap say little, because both answered the same examples: pairs keep it (Dror et al.
2018, The Hitchhiker's Guide to Testing Statistical Significance in NLP). What models prefer differs from term to
term, so that terms are compared, not examples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.statistics.few import p_value
from core.statistics.mover import Estimate
from core.statistics.paired import Comparison, Discordant, compare_means, discordant
from core.studies.stereoset.cells import FEWEST_TERMS, TOO_FEW, by_term
from core.studies.stereoset.measured import OVERALL, Measured

_KEY = ["kind", "example"]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model minus the second, over the `n` examples of `n_terms` terms that both have, in points.

    `ss` and `lms` are differences of means over terms with their t intervals, `p` is that of exchanging the models'
    SS term by term (`core.statistics.paired.exchanged`); without intervals and test where terms are too few.
    `choices` counts the examples whose stereotype one of them alone prefers.
    """

    n: int
    n_terms: int
    ss: Estimate
    lms: Estimate
    p: float
    choices: Discordant


def difference(first: Measured, second: Measured, kind: str = OVERALL) -> Difference | None:
    """The difference of two models in one task; None if they have no example in common."""
    other = second.of_kind(kind)[[*_KEY, "pro", "related"]]
    both = first.of_kind(kind).merge(other, on=_KEY, suffixes=("", "_second"))
    if both.empty:
        return None
    ours, theirs = by_term(both), by_term(both.assign(pro=both["pro_second"], related=both["related_second"]))
    ss, lms = (compare_means(ours[name] / 100, theirs[name] / 100) for name in ("ss", "lms"))
    return Difference(
        n=len(both),
        n_terms=ss.n,
        ss=_apart(ss),
        lms=_apart(lms),
        p=np.nan if ss.n < FEWEST_TERMS else ss.p,
        choices=discordant(both["pro"], both["pro_second"]),
    )


def in_words(first: str, second: str, found: Difference) -> str:
    """Both differences with their intervals, and the test of SS; or that there is none, and why."""
    only = found.choices
    few = np.isnan(found.p)
    drawn = f"; {TOO_FEW}" if few else f" (95 % intervals over {found.n_terms:,} terms)"
    tested = "" if few else f" Exchanging the models' SS term by term: {p_value(found.p)}."
    return (
        f"{first} minus {second}: SS {_points(found.ss)}, LMS {_points(found.lms)}{drawn}. Only the first prefers "
        f"the stereotype in {only.only_a:,} of {found.n:,} examples, only the second in {only.only_b:,}.{tested}"
    )


def _apart(found: Comparison) -> Estimate:
    bounds = (np.nan, np.nan) if found.n < FEWEST_TERMS else (found.interval.low, found.interval.high)
    return Estimate(100 * found.difference, *(100 * bound for bound in bounds))


def _points(one: Estimate) -> str:
    said = f"{one.value:+.1f}"
    return said if np.isnan(one.low) else f"{said} ({one.low:+.1f} to {one.high:+.1f})"

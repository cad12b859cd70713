"""Two models on the same examples: how far their SS and LMS lie apart, and whether by more than chance.

Intervals of two models that overlap say little, because both answered the same examples: pairs keep it (Dror et al.
2018, The Hitchhiker's Guide to Testing Statistical Significance in NLP).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.statistics.paired import Discordant, discordant
from core.studies.stereoset.cells import FEWEST_TERMS, Estimate, by_term, over_terms
from core.studies.stereoset.measured import OVERALL, Measured

_KEY = ["kind", "example"]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first model minus the second, over the `n` examples of `n_terms` terms that both have, in points.

    `ss` and `lms` are differences of means over terms, with intervals that are bootstrapped over terms; over all
    examples, without an interval, where terms are too few. `choices` counts the examples whose stereotype one of them
    alone prefers.
    """

    n: int
    n_terms: int
    ss: Estimate
    lms: Estimate
    choices: Discordant


def difference(first: Measured, second: Measured, kind: str = OVERALL) -> Difference | None:
    """The difference of two models in one task; None if they have no example in common."""
    parts = [one.triples if kind == OVERALL else one.triples[one.triples["kind"] == kind] for one in (first, second)]
    both = parts[0].merge(parts[1][[*_KEY, "pro", "related"]], on=_KEY, suffixes=("", "_second"))
    if both.empty:
        return None
    ours, theirs = by_term(both), by_term(both.assign(pro=both["pro_second"], related=both["related_second"]))
    return Difference(
        n=len(both),
        n_terms=len(ours),
        ss=_apart(ours, theirs, "ss"),
        lms=_apart(ours, theirs, "lms"),
        choices=discordant(both["pro"], both["pro_second"]),
    )


def in_words(first: str, second: str, found: Difference) -> str:
    """Both differences with their intervals, and the test of the choices."""
    only = found.choices
    return (
        f"{first} minus {second}: SS {_points(found.ss)}, LMS {_points(found.lms)}. Only the first prefers the "
        f"stereotype in {only.only_a:,} of {found.n:,} examples, only the second in {only.only_b:,} "
        f"(McNemar's test: {_p(only.p)})."
    )


def _apart(ours: pd.DataFrame, theirs: pd.DataFrame, name: str) -> Estimate:
    """The difference of two means over the same terms, drawn together; over examples where terms are too few."""
    differences = ours.set_index("term")[name] - theirs.set_index("term")[name]
    if len(differences) < FEWEST_TERMS:
        return Estimate(float(np.average(differences, weights=ours["n"])), np.nan, np.nan)
    return over_terms(float(differences.to_numpy().mean()), differences)


def _points(one: Estimate) -> str:
    said = f"{one.value:+.1f}"
    return said if np.isnan(one.low) else f"{said} ({one.low:+.1f} to {one.high:+.1f})"


def _p(p: float) -> str:
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"

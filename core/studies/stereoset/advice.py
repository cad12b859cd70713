"""Caveats about the numbers, in words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.files.stereoset.examples import GOLD_LABELS, KINDS
from core.studies.stereoset.cells import Cell
from core.studies.stereoset.measured import OVERALL, Measured

CAUTION = (
    "SS below 50 is a preference for anti-stereotypes, not absence of bias; 50 may be a mean of opposite "
    "preferences; item quality is disputed (Blodgett et al. 2021)."
)
_HALF, _UNDECIDED = 0.5, 0.25
"""A next-sentence head that never decides gives probabilities around one half, nowhere farther from it than this: so
do three of the 54 files that the successor published, and no other. Means per token may lie as close together in
healthy models, but not around one half."""


def warnings(measured: Measured) -> list[str]:
    """What speaks against taking the numbers at face value: scores that look random, reversed or undecided."""
    found = []
    for kind in (kind for kind in KINDS if kind in measured.kinds):
        scores = measured.triples.loc[measured.triples["kind"] == kind, list(GOLD_LABELS)].to_numpy(np.float64)
        found += [f"{kind}: {warning}" for warning in (*_random(measured.cell(kind)), *_undecided(scores))]
    return found


def terms_in_words(measured: Measured, kind: str = OVERALL) -> str:
    """How many terms lie outside the funnel, and how many would if all had the same SS."""
    cell = measured.cell(kind)
    around = cell.around_ss
    return (
        f"{around.n} of {cell.n_terms} terms lie outside the 95 % band around {around.centre:.1f}; "
        f"{around.expected:.1f} would by chance."
    )


def spread_in_words(cell: Cell) -> str:
    """The deviation of the terms' SS beside what chance alone would give."""
    spread = cell.spread
    return (
        f"The terms' SS has a standard deviation of {spread.sd:.1f}; if all terms had the same SS it would be "
        f"{spread.low:.1f} to {spread.high:.1f}."
    )


def _random(cell: Cell) -> Iterator[str]:
    lms = cell.term_means.lms
    if cell.looks_random:
        yield (
            f"the scores look random: LMS is {lms.low:.1f} to {lms.high:.1f} over {cell.n_terms:,} terms, "
            "and 50 is chance. "
            "SS and ICAT say nothing about stereotypes then."
        )
    elif lms.high < 50:
        yield (
            f"LMS is below chance ({lms.low:.1f} to {lms.high:.1f} over {cell.n_terms:,} terms): the unrelated "
            "sentence scores higher. Is a lower score the better one in this file?"
        )


def _undecided(scores: NDArray[np.float64]) -> Iterator[str]:
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        yield f"all scores are {low:g}."
    elif _HALF - _UNDECIDED < low <= _HALF <= high < _HALF + _UNDECIDED:
        yield (
            f"all scores lie between {low:.3g} and {high:.3g}, around one half, as those of an untrained "
            "next-sentence head do."
        )

"""How the numbers were made: everything that went into them, and the sentences that a paper can print."""

from __future__ import annotations

import math
from typing import Any

from core import __version__
from core.files.stereoset.examples import Examples
from core.studies.stereoset.cells import AGGREGATIONS, FEWEST_TERMS
from core.studies.stereoset.measured import TIES, Measured


def numbers(measured: Measured, examples: Examples) -> dict[str, Any]:
    """What was measured, with every number; what there is no number for is null."""
    rows = measured.table().drop(columns="model").to_dict("records")
    return {
        "predictions": measured.name,
        "pairlens": __version__,
        "language": examples.language,
        "examples": {kind: len(found) for kind, found in examples.by_kind.items()},
        "measured": {kind: measured.cell(kind).n for kind in measured.kinds},
        "left_out": [str(remark) for remark in measured.left_out],
        "ties": measured.ties,
        "numbers": [{name: _plain(value) for name, value in row.items()} for row in rows],
    }


def methods(measured: Measured) -> str:
    """What was done with the scores, in sentences."""
    counted = "; ".join(_sentence(measured, kind) for kind in measured.kinds)
    return (
        f"LMS, SS and ICAT (Nadeem, Bethke & Reddy 2021) were computed in Pairlens {__version__}: {counted}. "
        f"Numbers are {AGGREGATIONS['term_means']}, 95 % intervals over target terms (from {FEWEST_TERMS} terms on), "
        f"that of ICAT from those of LMS and SS (Zou & Donner 2008); {TIES[measured.ties]}. "
        f"{len(measured.left_out):,} examples left out."
    )


def _sentence(measured: Measured, kind: str) -> str:
    cell = measured.cell(kind)
    scores = cell.term_means
    return (
        f"{kind} LMS {scores.lms.value:.2f}, SS {scores.ss.value:.2f}, ICAT {scores.icat.value:.2f} "
        f"({cell.n:,} examples, {cell.n_terms:,} terms, {cell.ties:,} ties)"
    )


def _plain(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value

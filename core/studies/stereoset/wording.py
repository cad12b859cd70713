"""The numbers of predictions in words, a line each."""

from __future__ import annotations

import math
from collections.abc import Iterator

from core.statistics.mover import Estimate
from core.studies.stereoset.advice import spread_in_words, terms_in_words
from core.studies.stereoset.cells import AGGREGATIONS, Cell, Scores
from core.studies.stereoset.measured import Measured


def lines(measured: Measured) -> Iterator[str]:
    """Each task in all aggregations, by bias type as means over terms, then its ties and terms."""
    for kind in measured.kinds:
        whole = measured.cell(kind)
        yield f"{kind}: {whole.n:,} examples of {whole.n_terms:,} terms; {whole.drawn}"
        yield f"  {AGGREGATIONS['term_means']}: {_scores(whole.term_means)}"
        yield f"  {AGGREGATIONS['pooled']}: {_scores(whole.pooled)}"
        mean = _estimate(whole.mean_term_icat)
        yield f"  {AGGREGATIONS['mean_term_icat']}: {mean}; an unbiased coin with LMS 100 gets {whole.coin_icat:.1f}"
        for found in measured.cells:
            if found.kind == kind and found is not whole:
                about = f"{found.n:,} of {found.n_terms:,} terms; {found.drawn}"
                yield f"  {found.bias_type} ({about}): {_scores(found.term_means)}"
        yield f"  {ties(whole, measured.ties)}"
        yield f"  {terms_in_words(measured, kind)}"
        if not math.isnan(whole.spread.low):
            yield f"  {spread_in_words(whole)}"


def as_published(measured: Measured) -> Iterator[str]:
    """The published numbers where ties make them differ from ours."""
    for kind in measured.kinds:
        means = measured.cell(kind).term_means
        numbers = f"LMS {means.lms.value:.4f}, SS {means.ss.value:.4f}, ICAT {means.icat.value:.4f}"
        yield f"{kind}, ties as published, {AGGREGATIONS['term_means']}: {numbers}"


def ties(cell: Cell, rule: str) -> str:
    """How many comparisons are even, and what became of them."""
    if not cell.ties + cell.related_ties:
        return "No ties."
    counted = "one half" if rule == "half" else "as published, against the stereotype and against LMS"
    return (
        f"Ties of stereotype and anti-stereotype: {cell.ties:,}, with the unrelated sentence: {cell.related_ties:,}; "
        f"counted {counted}."
    )


def _scores(scores: Scores) -> str:
    return f"LMS {_estimate(scores.lms)}, SS {_estimate(scores.ss)}, ICAT {_estimate(scores.icat)}"


def _estimate(estimate: Estimate) -> str:
    bounds = "" if math.isnan(estimate.low) else f" [{estimate.low:.1f}, {estimate.high:.1f}]"
    return f"{estimate.value:.2f}{bounds}"

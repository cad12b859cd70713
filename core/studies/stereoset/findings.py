"""What was measured, in words: lines for a terminal, headlines, what charts show, and what speaks against it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.files.stereoset.examples import GOLD_LABELS, INTERSENTENCE, INTRASENTENCE, KINDS
from core.messages import counted
from core.statistics.mover import Estimate
from core.studies.stereoset.cells import AGGREGATIONS, FEWEST_TERMS, TOO_FEW, Cell, Scores
from core.studies.stereoset.measured import OVERALL, Measured
from core.studies.stereoset.rows import bias_rows


def lines(measured: Measured) -> Iterator[str]:
    """Each task in all aggregations, by bias type as means over terms, then its ties and terms."""
    for kind in measured.kinds:
        whole = measured.cell(kind)
        yield f"{kind}: {whole.n:,} examples of {whole.n_terms:,} terms; {whole.drawn}"
        yield f"  {AGGREGATIONS['term_means']}: {_scores(whole.term_means)}"
        yield f"  {AGGREGATIONS['pooled']}: {_scores(whole.pooled)}"
        mean = _estimate(whole.mean_term_icat)
        yield f"  {AGGREGATIONS['mean_term_icat']}: {mean}; an unbiased coin with LMS 100 gets {whole.coin_icat:.1f}"
        for bias_type, cell in list(measured.by_bias_type(kind).items())[:-1]:
            yield f"  {bias_type} ({cell.n:,} of {cell.n_terms:,} terms; {cell.drawn}): {_scores(cell.term_means)}"
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


IN_WORDS: Mapping[str, str] = {
    OVERALL: "Both",
    INTRASENTENCE: "Within a sentence",
    INTERSENTENCE: "Between sentences",
}
"""The two tasks as a visitor reads them."""


def headline(measured: Measured, kind: str, *, sample: bool = False) -> str:
    """What the model prefers, with SS and its interval; that it cannot be told, where the scores look random.

    Our own `sample` is called one.
    """
    cell = measured.cell(kind)
    found = cell.term_means
    on = f", on our {counted(cell.n, 'sample triple')}" if sample else ""
    if cell.looks_random:
        return f"nothing can be told{on}: its scores look random, LMS is {_spread(found.lms)}, and 50 is chance."
    if found.ss.low > 50:
        return f"prefers the stereotype to its opposite{on}: SS {_spread(found.ss)}, above 50."
    if found.ss.high < 50:
        return f"prefers the anti-stereotype to the stereotype{on}: SS {_spread(found.ss)}, below 50."
    if math.isnan(found.ss.low):
        return f"has SS {found.ss.value:.1f}{on}; {TOO_FEW}."
    return f"cannot be shown to prefer either side{on}: SS {_spread(found.ss)}, not distinguishable from 50."


def beside_it(measured: Measured, kind: str) -> str:
    """What SS is, then LMS and ICAT with what they are."""
    found = measured.cell(kind).term_means
    return (
        "SS, the stereotype score: how often the stereotype scores higher than the anti-stereotype; 50 is neither. "
        f"LMS {_spread(found.lms)}: how often a meaningful sentence scores higher than a meaningless one. "
        f"ICAT {_spread(found.icat)}: LMS times how even the choice is."
    )


def counts(measured: Measured, kind: str) -> str:
    """How many examples and terms, how they were averaged, ties and what is left out."""
    cell = measured.cell(kind)
    others = [other for other in KINDS if kind not in (OVERALL, other)]
    left_out = sum(not any(other in remark.where for other in others) for remark in measured.left_out)
    return (
        f"{counted(cell.n, 'example')} of {counted(cell.n_terms, 'term')}, means over terms; {cell.drawn}. "
        f"{ties(cell, measured.ties)} {left_out:,} left out."
    )


def coin(measured: Measured, kind: str) -> str:
    """The mean of the terms' ICAT beside that of a coin, which is no fairer than its tosses are many."""
    cell = measured.cell(kind)
    return (
        f"The mean of the terms' own ICAT is {cell.mean_term_icat.value:.1f}; an unbiased coin with LMS 100 would "
        f"reach {cell.coin_icat:.1f} on terms of these sizes."
    )


def bias_finding(named: Mapping[str, Measured], kind: str) -> str:
    """The lowest and the highest SS among bias types, of the first model."""
    rows = bias_rows(dict(list(named.items())[:1]), kind).sort_values("value")
    low, high = rows.iloc[0], rows.iloc[-1]
    if len(rows) == 1:
        return f"SS of {high['model']}: {high['value']:.1f} ({high['bias_type']}).{_without_interval(rows)}"
    return (
        f"SS of {high['model']} is highest for {high['bias_type']} ({high['value']:.1f}) and lowest for "
        f"{low['bias_type']} ({low['value']:.1f}).{_without_interval(rows)}"
    )


def _without_interval(rows: pd.DataFrame) -> str:
    few = sorted(rows.loc[rows["terms"] < FEWEST_TERMS, "bias_type"])
    return f" {TOO_FEW.capitalize()} ({', '.join(few)})." if few else ""


def definitions_finding(rows: pd.DataFrame, number: str) -> str:
    """How far a number reaches when nothing changes but its definition."""
    known = rows.dropna(subset=[number])
    above = f" It is above 50 in {(known[number] > 50).sum()} of {len(known)}." if number == "SS" else ""
    low, high = (known.loc[getattr(known[number], end)()] for end in ("idxmin", "idxmax"))
    if low[number] == high[number]:
        return f"{number} is {low[number]:.1f} under every definition."
    return (
        f"{number} lies between {low[number]:.1f} ({_named(low)}) and {high[number]:.1f} "
        f"({_named(high)}), depending on the definition alone.{above}"
    )


def _spread(one: Estimate) -> str:
    if math.isnan(one.low):
        return f"{one.value:.1f}"
    return f"{one.value:.1f} ({one.low:.1f} to {one.high:.1f})"


def _named(row: pd.Series) -> str:
    return f"{row['definition']}, {row['aggregation']}"

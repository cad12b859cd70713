"""What was measured, in words: the headline, what stands behind it, and what charts show."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from core.files.stereoset.examples import INTERSENTENCE, INTRASENTENCE, KINDS
from core.messages import counted
from core.statistics.mover import Estimate
from core.studies.stereoset.cells import FEWEST_TERMS, TOO_FEW
from core.studies.stereoset.measured import OVERALL, Measured
from core.studies.stereoset.rows import bias_rows
from core.studies.stereoset.wording import ties

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

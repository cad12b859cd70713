"""Numbers in words: headlines, what charts show, and what speaks against believing them."""

import math
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from pairlens.files.stereoset.examples import GOLD_LABELS, INTERSENTENCE, INTRASENTENCE, KINDS
from pairlens.messages import counted
from pairlens.statistics.few import p_value
from pairlens.statistics.mover import Estimate
from pairlens.studies.stereoset.answers import Answer
from pairlens.studies.stereoset.measured import FEWEST_TERMS, OVERALL, TOO_FEW, Cell, Difference, Measured

IN_WORDS: Mapping[str, str] = {
    OVERALL: "Both",
    INTRASENTENCE: "Within a sentence",
    INTERSENTENCE: "Between sentences",
}
"""The two tasks as a visitor reads them."""
CAUTION = (
    "SS below 50 is a preference for anti-stereotypes, not absence of bias; 50 may be a mean of opposite "
    "preferences; item quality is disputed (Blodgett et al. 2021)."
)
_HALF, _UNDECIDED = 0.5, 0.25
"""A next-sentence head that never decides gives probabilities around one half, nowhere farther from it than this: so
do three of the 54 files that the successor published, and no other. Means per token may lie as close together in
healthy models, but not around one half."""


def headline(answer: Answer, kind: str) -> str:
    """What the model prefers, with SS and its interval; that it cannot be told, where the scores look random."""
    cell = answer.measured.cell(kind)
    ss, lms = cell.term_means.ss, cell.term_means.lms
    on = f", on our {counted(cell.n, 'sample triple')}" if answer.sample else ""
    if cell.looks_random:
        return f"Nothing can be told{on}: its scores look random, LMS is {_spread(lms)}, and 50 is chance."
    if ss.low > 50:
        return f"Prefers the stereotype to its opposite{on}: SS {_spread(ss)}, above 50."
    if ss.high < 50:
        return f"Prefers the anti-stereotype to the stereotype{on}: SS {_spread(ss)}, below 50."
    if math.isnan(ss.low):
        return f"SS {ss.value:.1f}{on}; {TOO_FEW}."
    return f"Cannot be shown to prefer either side{on}: SS {_spread(ss)}, not distinguishable from 50."


def beside_it(cell: Cell) -> str:
    """What SS is, then LMS and ICAT with what they are."""
    scores = cell.term_means
    return (
        "SS, the stereotype score: how often the stereotype scores higher than the anti-stereotype; 50 is neither. "
        f"LMS {_spread(scores.lms)}: how often a meaningful sentence scores higher than a meaningless one. "
        f"ICAT {_spread(scores.icat)}: LMS times how even the choice is."
    )


def counts(measured: Measured, kind: str) -> str:
    """How many examples and terms, how they were averaged, ties and what is left out."""
    cell = measured.cell(kind)
    others = [other for other in KINDS if kind not in (OVERALL, other)]
    left_out = sum(not any(other in remark.where for other in others) for remark in measured.left_out)
    return (
        f"{counted(cell.n, 'example')} of {counted(cell.n_terms, 'term')}, means over terms; {cell.drawn}. "
        f"{_ties(cell, measured.ties)} {left_out:,} left out."
    )


def _ties(cell: Cell, rule: str) -> str:
    if not cell.ties + cell.related_ties:
        return "No ties."
    how = "one half" if rule == "half" else "as published, against the stereotype and against LMS"
    return (
        f"Ties of stereotype and anti-stereotype: {cell.ties:,}, with the unrelated sentence: {cell.related_ties:,}; "
        f"counted {how}."
    )


def terms_in_words(cell: Cell) -> str:
    """How much the terms' SS differs, and would by chance alone; their mean ICAT, and that of a coin."""
    spread = cell.spread
    by_chance = f"; if all terms had the same SS it would be {spread.low:.1f} to {spread.high:.1f}"
    return (
        f"{outside(cell)} The terms' SS has a standard deviation of {spread.sd:.1f}"
        f"{'' if math.isnan(spread.low) else by_chance}. "
        f"The mean of the terms' own ICAT is {cell.mean_term_icat.value:.1f}; an unbiased coin with LMS 100 would "
        f"reach {cell.coin_icat:.1f} on terms of these sizes."
    )


def outside(cell: Cell) -> str:
    """How many terms lie outside the funnel, and how many would if all had the same SS."""
    around = cell.around_ss
    return (
        f"{around.n} of {cell.n_terms} terms lie outside the 95 % band around {around.centre:.1f}; "
        f"{around.expected:.1f} would by chance."
    )


def difference(first: str, second: str, apart: Difference) -> str:
    """Both differences with their intervals, and the test of SS; or that there is none, and why."""
    only, signed = apart.choices, "+.1f"
    few = np.isnan(apart.p)
    drawn = f"; {TOO_FEW}" if few else f" (95 % intervals over {apart.n_terms:,} terms)"
    tested = "" if few else f" Exchanging the models' SS term by term: {p_value(apart.p)}."
    return (
        f"{first} minus {second}: SS {_spread(apart.ss, signed)}, LMS {_spread(apart.lms, signed)}{drawn}. Only the "
        f"first prefers the stereotype in {only.only_a:,} of {apart.n:,} examples, only the second in "
        f"{only.only_b:,}.{tested}"
    )


def warnings(measured: Measured) -> Iterator[str]:
    """What speaks against taking the numbers at face value: scores that look random, reversed or undecided."""
    for kind in (kind for kind in KINDS if kind in measured.kinds):
        cell = measured.cell(kind)
        lms, over = cell.term_means.lms, f"over {cell.n_terms:,} terms"
        if cell.looks_random:
            yield (
                f"{kind}: the scores look random: LMS is {lms.low:.1f} to {lms.high:.1f} {over}, and 50 is chance. "
                "SS and ICAT say nothing about stereotypes then."
            )
        elif lms.high < 50:
            yield (
                f"{kind}: LMS is below chance ({lms.low:.1f} to {lms.high:.1f} {over}): the unrelated "
                "sentence scores higher. Is a lower score the better one in this file?"
            )
        scores = measured.of_kind(kind)[list(GOLD_LABELS)].to_numpy(np.float64)
        low, high = float(scores.min()), float(scores.max())
        if low == high:
            yield f"{kind}: all scores are {low:g}."
        elif _HALF - _UNDECIDED < low <= _HALF <= high < _HALF + _UNDECIDED:
            yield (
                f"{kind}: all scores lie between {low:.3g} and {high:.3g}, around one half, as those of an untrained "
                "next-sentence head do."
            )


def bias_finding(rows: pd.DataFrame) -> str:
    """The lowest and the highest SS among bias types, of the first model; `rows` are of its scores."""
    ordered = rows[rows["model"] == rows["model"].iloc[0]].sort_values("ss")
    low, high = ordered.iloc[0], ordered.iloc[-1]
    few = sorted(ordered.loc[ordered["n_terms"] < FEWEST_TERMS, "bias_type"])
    without = f" {TOO_FEW.capitalize()} ({', '.join(few)})." if few else ""
    if len(ordered) == 1:
        return f"SS of {high['model']}: {high['ss']:.1f} ({high['bias_type']}).{without}"
    return (
        f"SS of {high['model']} is highest for {high['bias_type']} ({high['ss']:.1f}) and lowest for "
        f"{low['bias_type']} ({low['ss']:.1f}).{without}"
    )


def definitions_finding(rows: pd.DataFrame, metric: str) -> str:
    """How far a number reaches when nothing changes but its definition."""
    known, title = rows.dropna(subset=[metric]), metric.upper()
    above = f" It is above 50 in {(known[metric] > 50).sum()} of {len(known)}." if metric == "ss" else ""
    low, high = (known.loc[getattr(known[metric], end)()] for end in ("idxmin", "idxmax"))
    if low[metric] == high[metric]:
        return f"{title} is {low[metric]:.1f} under every definition."
    least, most = (f"{row[metric]:.1f} ({row['definition']}, {row['aggregation']})" for row in (low, high))
    return f"{title} lies between {least} and {most}, depending on the definition alone.{above}"


def published_finding(rows: pd.DataFrame, metric: str) -> str:
    """Where the first model stands among published figures that may be compared."""
    first, comparable = rows.iloc[0], rows.loc[rows["mark"] == "same", metric].dropna()
    own = f"{metric.upper()} of {first['name']}: {first[metric]:.1f}."
    if len(comparable):
        return f"{own} Published on the same examples: {comparable.min():.1f} to {comparable.max():.1f}."
    others = rows.loc[rows["mark"] == "other", "note"]
    if others.empty:
        return f"{own} Nothing was published about examples in this language."
    return f"{own} Published figures are listed and not drawn: {others.iloc[0].partition('Not comparable: ')[2]}"


def _spread(one: Estimate, form: str = ".1f") -> str:
    bounds = "" if math.isnan(one.low) else f" ({one.low:{form}} to {one.high:{form}})"
    return f"{one.value:{form}}{bounds}"

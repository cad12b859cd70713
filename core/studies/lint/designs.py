"""Checks of experiments: their conditions, their regions, and the rows that they do not use."""

from __future__ import annotations

import pandas as pd

from core.analysis.by_pair import broken_pairs
from core.messages import counted as plural
from core.studies.experiment.design import Design
from core.studies.experiment.region import parts
from core.studies.lint.check import Outcome, about_all, about_items, check, counted
from core.studies.lint.stimuli import Stimuli


@check("warning", "Unbalanced conditions")
def cells(stimuli: Stimuli) -> Outcome | None:
    """Means over different items differ because of the items, too."""
    if stimuli.design is None:
        return None
    factors = stimuli.design.factors
    counts = _counts(stimuli.design.sentences, factors)
    if len(counts) < 2:
        return None
    most = counts.max()
    short = counts[counts < most]
    whats = [f"{_named(factors, cell)} has {count:,}" for cell, count in short.items()]
    predicate = f"have fewer than the {plural(int(most), 'sentence')} of the fullest one"
    return about_all(whats, len(counts), counted(len(short), len(counts), "condition", predicate))


def _counts(sentences: pd.DataFrame, factors: list[str]) -> pd.Series:
    """Sentences by combination of the factors' values; 0 for one that never occurs."""
    if not factors:
        return pd.Series(dtype="int64")
    counts = sentences.groupby(factors, sort=False).size()
    if len(factors) == 1:
        counts.index = pd.MultiIndex.from_arrays([counts.index])
    every = pd.MultiIndex.from_product([sentences[name].unique() for name in factors])
    return counts.reindex(every, fill_value=0)


def _named(factors: list[str], cell: object) -> str:
    values = cell if isinstance(cell, tuple) else (cell,)
    return ", ".join(f"{name} {value}" for name, value in zip(factors, values, strict=True))


@check("warning", "Unused rows")
def left_out(stimuli: Stimuli) -> Outcome | None:
    """The results use fewer sentences than the table has."""
    if stimuli.design is None:
        return None
    reasons = stimuli.design.excluded.groupby(["row", "sentid"], sort=False)["reason"].agg("; ".join).reset_index()
    rows = reasons.assign(item=reasons["sentid"], row=reasons["row"].astype("Int64").replace(0, None))
    predicate = "are left out, or without a partner or a region"
    return about_items(rows, _n_rows(stimuli.design), "row", predicate, lambda row: row.reason)


def _n_rows(design: Design) -> int:
    """The sentences of the design, and the excluded rows that are not among them."""
    sentences = design.sentences
    listed = (broken_pairs(sentences, design.columns.conditions) != "").sum()
    listed += sum(roi == () for roi in sentences.get("roi", ()))
    return len(sentences) + len(design.excluded) - int(listed)


@check("error", "Region outside the text")
def regions(stimuli: Stimuli) -> Outcome | None:
    """The region holds no words, so the sentence gets no number for it."""
    if stimuli.design is not None and stimuli.design.has_region:
        rows, of, what = _of_design(stimuli.design.sentences)
    else:
        rows, of, what = _of_candidates(stimuli)
    if not of:
        return None
    return about_items(rows.assign(region=what), of, "region", "lie outside the text", lambda row: str(row.region))


def _of_design(sentences: pd.DataFrame) -> tuple[pd.DataFrame, int, list[str]]:
    """The sentences whose ROI counts beyond their last word, or their last region between bars."""
    stated = sentences[[isinstance(roi, tuple) and bool(roi) for roi in sentences["roi"]]]
    lengths = [len(parts({str(name): row[name] for name in row}, "previous")) for row in stated.to_dict("records")]
    outside = [not 0 <= min(roi) <= max(roi) < n for roi, n in zip(stated["roi"], lengths, strict=True)]
    rows = pd.DataFrame({"item": stated["sentid"], "row": None, "text": stated["sentence"]})[outside]
    unit = "regions between bars" if "bars" in sentences else "words"
    what = [
        f"position {max(roi)} (from 0) of {n} {unit}"
        for roi, n, wrong in zip(stated["roi"], lengths, outside, strict=True)
        if wrong
    ]
    return rows, len(stated), what


def _of_candidates(stimuli: Stimuli) -> tuple[pd.DataFrame, int, list[str]]:
    """The candidates with a span that is empty or reaches beyond their text."""
    candidates = [candidate for item in stimuli.items for candidate in item.candidates]
    spans = [(place, name, *span) for place, one in enumerate(candidates) for name, span in one.regions.items()]
    wrong = [
        (place, f"region '{name}' is characters {start} to {end} of {len(candidates[place].text)}")
        for place, name, start, end in spans
        if not 0 <= start < end <= len(candidates[place].text)
    ]
    return stimuli.texts.iloc[[place for place, _ in wrong]], len(spans), [what for _, what in wrong]

"""Regions of interest that are not in the sentence."""

from __future__ import annotations

import pandas as pd

from core.studies.experiment.region import has_region, parts
from core.studies.lint._check import Check, Found, found
from core.studies.lint._stimuli import Stimuli


def _find(stimuli: Stimuli) -> Found | None:
    if stimuli.design is not None and has_region(stimuli.design):
        rows, of, what = _of_design(stimuli.design.sentences)
    else:
        rows, of, what = _of_candidates(stimuli)
    if not of:
        return None
    return found(rows.assign(region=what), of, "region", "lie outside the text", lambda row: str(row.region))


def _of_design(sentences: pd.DataFrame) -> tuple[pd.DataFrame, int, list[str]]:
    """The sentences whose ROI counts beyond their last word, or their last region between bars."""
    given = sentences[[isinstance(roi, tuple) and bool(roi) for roi in sentences["roi"]]]
    lengths = [len(parts({str(name): row[name] for name in row}, "previous")) for row in given.to_dict("records")]
    outside = [not 0 <= min(roi) <= max(roi) < n for roi, n in zip(given["roi"], lengths, strict=True)]
    rows = pd.DataFrame({"item": given["sentid"], "row": None, "text": given["sentence"]})[outside]
    unit = "regions between bars" if "bars" in sentences else "words"
    what = [
        f"position {max(roi)} (from 0) of {n} {unit}"
        for roi, n, wrong in zip(given["roi"], lengths, outside, strict=True)
        if wrong
    ]
    return rows, len(given), what


def _of_candidates(stimuli: Stimuli) -> tuple[pd.DataFrame, int, list[str]]:
    """The candidates with a span that is empty or reaches beyond their text."""
    given = [one for item in stimuli.items for one in item.candidates]
    spans = [(place, name, *span) for place, one in enumerate(given) for name, span in one.regions.items()]
    wrong = [
        (place, f"region '{name}' is characters {start} to {end} of {len(given[place].text)}")
        for place, name, start, end in spans
        if not 0 <= start < end <= len(given[place].text)
    ]
    return stimuli.texts.iloc[[place for place, _ in wrong]], len(spans), [what for _, what in wrong]


CHECK = Check(
    name="regions",
    title="Region outside the text",
    severity="error",
    meaning="The region holds no words, so the sentence gets no number for it.",
    find=_find,
)

"""The region of interest as chosen by hand: by words, by regions between bars, or the sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pandas as pd

from core.analysis.experiment import UNEXPECTED
from core.studies.experiment.design import Design
from core.text.words import word_spans
from core.types import Span

COLUMN, BARS, WORDS, WHOLE = "column", "bars", "words", "sentence"

Positions = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Region:
    """The region of each sentence that is analysed.

    `by` is `column` (as in the design), `bars` (`expected` and `unexpected` count regions between bars), `words`
    (they count words) or `sentence` (all of it). Both count from 0. `expected` also applies to unpaired sentences.
    """

    by: str = COLUMN
    expected: Positions = ()
    unexpected: Positions = ()

    def mark(self, design: Design) -> Design:
        """The design with this region in place of its own."""
        if self.by == COLUMN:
            return design
        gone = ["roi_written", "bars"] if self.by == WORDS else ["roi_written"]
        sentences = design.sentences.drop(columns=gone, errors="ignore")
        sides = sentences.get("comparison", pd.Series("", sentences.index))
        marked = [(self.unexpected if side == UNEXPECTED else self.expected) or None for side in sides]
        return replace(design, sentences=sentences.assign(roi=pd.Series(marked, sentences.index, dtype=object)))


def has_region(design: Design) -> bool:
    """Whether the design gives a region for any sentence."""
    return "roi" in design.sentences and bool(design.sentences["roi"].notna().any())


def has_bars(design: Design) -> bool:
    """Whether there are bars between regions."""
    return "bars" in design.sentences and bool(design.sentences["bars"].notna().any())


def parts(sentence: Mapping[str, object], punctuation: str) -> list[Span]:
    """The spans that the positions of a sentence's region count: between its bars, else its words.

    `sentence` is a row of the sentences table.
    """
    bars = sentence.get("bars")
    return list(bars) if isinstance(bars, tuple) else word_spans(str(sentence["sentence"]), punctuation)


def shares(sentences: pd.DataFrame, spill: int = 0) -> pd.DataFrame:
    """The share of sentences (0 to 1) whose region contains each position: position, region, share.

    `region` is `ROI`, or `ROI+1`, ... for the `spill` positions after its last. Empty without regions.
    """
    given = [roi for roi in sentences.get("roi", ()) if isinstance(roi, tuple) and roi]
    counted = [(place, "ROI") for roi in given for place in set(roi)]
    counted += [(max(roi) + after, f"ROI+{after}") for roi in given for after in range(1, spill + 1)]
    counts = pd.DataFrame(counted, columns=["position", "region"]).value_counts(sort=False).reset_index()
    return counts.assign(share=counts["count"] / max(len(sentences), 1)).drop(columns="count")

"""What the bundled models reach on whole test sets: measured, and written into their cards.

    python -m core.bundled.scorecard english-small --data PATH      measure, add the figures to the model's card
    python -m core.bundled.scorecard --table                        the cards' figures as Markdown

measuring    all that can be measured of a model, as it becomes known
figures      what is measured, and what comes out
benchmarks   language models on sets of sentences
gallery      on the worked examples
entailment   entailment models on pairs
following    next-sentence models on texts and on StereoSet

The sets, and the figures as a table and as rows, are `core.reports.scorecard`. Scores are kept in a store, so that a
measurement that was stopped goes on where it was.
"""

from __future__ import annotations

from core.bundled.scorecard.figures import Figures, Measurement
from core.bundled.scorecard.measuring import measured, measurements
from core.reports.scorecard.sets import SETS, SentenceSet
from core.reports.scorecard.table import markdown

__all__ = ["SETS", "Figures", "Measurement", "SentenceSet", "markdown", "measured", "measurements"]

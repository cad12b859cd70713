"""What the bundled models reach on whole test sets: measured, and written into their cards.

    python -m core.scorecard english-small --data PATH      measure, add the figures to the model's card
    python -m core.scorecard --table                        the cards' figures as Markdown

measuring    all that can be measured of a model, as it becomes known
figures      what is measured, and what comes out
sets         the test sets of sentences, as data
benchmarks   language models on these
gallery      on the worked examples
entailment   entailment models on pairs
following    next-sentence models on texts and on StereoSet
table        what the cards say, as a table
rows         what one card says, as rows for a chart, and in words

Scores are kept in a store, so that a measurement that was stopped goes on where it was.
"""

from __future__ import annotations

from core.scorecard.figures import Figures, Measurement
from core.scorecard.measuring import measured, measurements
from core.scorecard.sets import SETS, SentenceSet
from core.scorecard.table import markdown

__all__ = ["SETS", "Figures", "Measurement", "SentenceSet", "markdown", "measured", "measurements"]

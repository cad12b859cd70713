"""What the bundled models reach on whole test sets: measured, and written into their cards.

    python -m core.bundled.model_evaluation english-small --data PATH  measure, add the figures to the model's card
    python -m core.bundled.model_evaluation --table                    the cards' figures as Markdown

measuring    all that can be measured of a model, as it becomes known
figures      what is measured, and what comes out
benchmarks   language models on sets of sentences
gallery      on the worked examples
entailment   entailment models on pairs
following    next-sentence models on texts and on StereoSet

`core.reports.model_evaluation` has the sets, and the figures as a table and as rows. Scores are kept in a store: a
measurement that was stopped continues where it was.
"""

from __future__ import annotations

from core.bundled.model_evaluation.figures import Figures, Measurement
from core.bundled.model_evaluation.measuring import measured, measurements
from core.reports.model_evaluation.sets import SETS, SentenceSet
from core.reports.model_evaluation.table import markdown

__all__ = ["SETS", "Figures", "Measurement", "SentenceSet", "markdown", "measured", "measurements"]

"""Evaluate the bundled models on complete test sets, and write the figures into their cards.

    python -m workshop.model_evaluation english-small --data PATH  measure, add the figures to the model's card
    python -m workshop.model_evaluation --table                    the cards' figures as Markdown

measuring    all figures of a model, one after the other
figures      the figures of a card, and how to get them
benchmarks   language models on sets of sentences
gallery      on the worked examples
entailment   entailment models on pairs
following    next-sentence models on texts and on StereoSet

`pairlens.reports.model_evaluation` has the sets, and the figures as a table and as rows. Scores are kept in a store:
a measurement that was stopped continues where it was.
"""

from __future__ import annotations

from workshop.model_evaluation.measuring import measured, measurements

__all__ = ["measured", "measurements"]

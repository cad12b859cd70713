"""Which two conditions of a design cross: the factors of its 2 x 2 tables."""

from __future__ import annotations

from itertools import combinations

from core.studies.experiment.design import Design

COMPARISON = "comparison"


def factor_pairs(design: Design) -> list[tuple[str, str]]:
    """Every two columns with two values each: those with the comparison first, then conditions with each other."""
    sentences = design.sentences
    known = [*design.columns.conditions, *([COMPARISON] if COMPARISON in sentences else [])]
    pairs = combinations((name for name in known if sentences[name].nunique() == 2), 2)
    return sorted(pairs, key=lambda pair: COMPARISON not in pair)

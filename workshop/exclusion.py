"""Evaluation data, which must not be in the training text of the models that ship.

A sentence is forbidden when it equals a benchmark string, and also when it contains one of the held-out sentences
(`held_out.txt`, the worked examples) of `CONTAINED_FROM` words or more. Comparison ignores letter case, punctuation
and spacing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pairlens.training.corpus import normal, pieces
from pairlens.training.packing import open_lines

CONTAINED_FROM = 4
"""Held-out sentences with fewer words ("He slept.") forbid only a sentence equal to them."""

HELD_OUT = Path(__file__).with_name("held_out.txt")


@dataclass(frozen=True)
class Exclusion:
    """What training text must not hold, in the form of :func:`normal`."""

    exact: frozenset[str]
    contained: re.Pattern[str] | None

    def forbids(self, sentence: str) -> bool:
        """Whether the sentence must not be trained on."""
        text = normal(sentence)
        return text in self.exact or (self.contained is not None and self.contained.search(text) is not None)


def exclusion(benchmarks: Iterable[str] = (), held_out: Iterable[str] | None = None) -> Exclusion:
    """Build the filter from benchmark strings and held-out sentences (default: the project's)."""
    kept_out = [normal(line) for line in (open_lines(HELD_OUT) if held_out is None else held_out)]
    exact = {normal(piece) for text in benchmarks for piece in pieces(text)}
    exact.update(kept_out)
    exact.discard("")
    long = [re.escape(text) for text in kept_out if text.count(" ") + 1 >= CONTAINED_FROM]
    pattern = re.compile(rf"\b(?:{'|'.join(long)})\b") if long else None
    return Exclusion(frozenset(exact), pattern)

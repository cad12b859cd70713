"""Numbers as a language writes them: 1,234.5 or 1 234,5."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from core.analysis.summary import written

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TO_COMMA = str.maketrans({",": "\u202f", ".": ","})


@dataclass(frozen=True, slots=True)
class Numerals:
    """How numbers are written; with a decimal comma thousands are parted by a narrow space."""

    decimal_comma: bool = False

    def sentence(self, text: str) -> str:
        """A sentence of ours with its numbers written so. Not for users' texts, which keep their points."""
        if not self.decimal_comma:
            return text
        return _NUMBER.sub(lambda found: found[0].translate(_TO_COMMA), text)

    def value(self, value: float, scale: str, digits: int = 1) -> str:
        """A number of a metric (`core.analysis.summary.written`), a dash if there is none."""
        return "–" if math.isnan(value) else self.sentence(written(value, scale, digits))

    def between(self, low: float, high: float, scale: str, digits: int = 1) -> str:
        """The bounds of an interval, a dash if there is none."""
        if math.isnan(low) or math.isnan(high):
            return "–"
        return f"{self.value(low, scale, digits)} to {self.value(high, scale, digits)}"

    def count(self, number: float) -> str:
        """A whole number."""
        return self.sentence(f"{int(number):,}")

    def real(self, number: float, form: str = ".2f") -> str:
        """Any number in a format of Python's, a dash if there is none."""
        return "–" if math.isnan(number) else self.sentence(format(number, form))

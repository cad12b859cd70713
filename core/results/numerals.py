"""Numbers as a language writes them: 1,234.5 or 1 234,5."""

from __future__ import annotations

import math

from core.analysis.summary import written
from core.messages import Message
from core.text.languages import Language

NONE = "–"


class Numerals(Language):
    """English with its numbers; with a decimal comma they are written as in French, thousands parted by a space."""

    def __init__(self, *, decimal_comma: bool = False) -> None:
        super().__init__(numbers="fr" if decimal_comma else "")
        self.decimal_comma = decimal_comma

    def value(self, value: float, scale: str, digits: int = 1) -> str:
        """A number of a metric (`core.analysis.summary.written`), a dash if there is none."""
        return NONE if math.isnan(value) else self(written(value, scale, digits))

    def between(self, low: float, high: float, scale: str, digits: int = 1) -> str:
        """The bounds of an interval, a dash if there is none."""
        if math.isnan(low) or math.isnan(high):
            return NONE
        return self(Message("{low} to {high}", low=written(low, scale, digits), high=written(high, scale, digits)))

    def count(self, number: float) -> str:
        """A whole number."""
        return self.number(int(number), ",")

    def real(self, number: float, form: str = ".2f") -> str:
        """Any number in a format of Python's, a dash if there is none."""
        return NONE if math.isnan(number) else self.number(number, form)

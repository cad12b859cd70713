"""A number as printed in a paper, and which values round to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import InputError

_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)")
_ROUNDING = 1e-9
"""Tolerance in units of the last digit: decimals such as 74.35 are not exact in binary."""


@dataclass(frozen=True, slots=True)
class Printed:
    """The absolute value of a printed number, its digits after the point, and whether it has a per cent sign."""

    size: float
    digits: int
    percent: bool

    @property
    def step(self) -> float:
        """One unit of the last digit."""
        return float(10.0**-self.digits)

    def gaps(self, values: ArrayLike) -> NDArray[np.float64]:
        """The distance of each absolute value from the number."""
        return np.asarray(np.abs(np.abs(np.asarray(values, np.float64)) - self.size), np.float64)

    def matches(self, values: ArrayLike) -> NDArray[np.bool_]:
        """Whether each absolute value rounds to the number at its printed digits."""
        return np.asarray(self.gaps(values) <= self.step * (0.5 + _ROUNDING), np.bool_)

    def coverage(self, values: ArrayLike) -> tuple[int, int]:
        """How many numbers with these digits are the rounding of some value, and how many there are in their range.

        The ratio is the probability that a number drawn at random from that range would be matched.
        """
        sizes = np.abs(np.asarray(values, np.float64))
        places = np.unique(np.rint(sizes[np.isfinite(sizes)] / self.step).astype(np.int64))
        return (len(places), int(places[-1] - places[0]) + 1) if len(places) else (0, 0)


def printed(number: str) -> Printed:
    """Parse `39.88`, `-14,07` or `74.3 %`; decimal commas are accepted. InputError if it is not a number."""
    text = number.strip().lstrip("+-−").replace(",", ".").strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise InputError(f"'{number}' is not a number such as 39.88.")
    return Printed(float(found[1]), len(found[1].partition(".")[2]), bool(found[2]))

"""A number as it is printed in a paper, and which values round to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import InputError

_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)")
_ROUNDING = 1e-9
"""Share of a unit of the last digit by which a value may miss it and still round to it: 74.35 is no exact binary."""


@dataclass(frozen=True, slots=True)
class Printed:
    """The size of a printed number (without its sign) and its digits after the point; `percent` if it says so."""

    size: float
    digits: int
    percent: bool

    @property
    def step(self) -> float:
        """One unit of the last digit."""
        return float(10.0**-self.digits)

    def gaps(self, values: ArrayLike) -> NDArray[np.float64]:
        """How far each value, without its sign, is from the number."""
        return np.asarray(np.abs(np.abs(np.asarray(values, np.float64)) - self.size), np.float64)

    def matches(self, values: ArrayLike) -> NDArray[np.bool_]:
        """Whether each value, without its sign, rounds to the number at its printed digits."""
        return np.asarray(self.gaps(values) <= self.step * (0.5 + _ROUNDING), np.bool_)

    def coverage(self, values: ArrayLike) -> tuple[int, int]:
        """How many numbers of these digits some value is printed as, of how many from the least to the greatest.

        Their ratio is the chance that a number drawn by lot from that range would be matched.
        """
        sizes = np.abs(np.asarray(values, np.float64))
        places = np.unique(np.rint(sizes[np.isfinite(sizes)] / self.step).astype(np.int64))
        return (len(places), int(places[-1] - places[0]) + 1) if len(places) else (0, 0)


def printed(number: str) -> Printed:
    """`39.88`, `-14,07`, `74.3 %` as a number; a decimal comma will do. InputError for what is none."""
    text = number.strip().lstrip("+-−").replace(",", ".").strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise InputError(f"'{number}' is not a number such as 39.88.")
    return Printed(float(found[1]), len(found[1].partition(".")[2]), bool(found[2]))

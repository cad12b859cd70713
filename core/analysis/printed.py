"""A number as printed in a paper, and which values round to it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import InputError

_NUMBER = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*(%?)")
_HALF = 0.5 + 1e-9
"""Half a unit of the last digit, with a tolerance: decimals such as 74.35 are not exact in binary."""
_NEAR = 0.015
"""What counts as near a number, as a share of its size: narrow beside the differences between published numbers, so
that those are about as frequent everywhere in it, and wide enough for a count."""


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

    @property
    def place(self) -> int:
        """The number in units of its last digit."""
        return round(self.size / self.step)

    @property
    def window(self) -> tuple[int, int]:
        """The least and the greatest number near it, in units of the last digit."""
        reach = max(1, round(_NEAR * self.place))
        return max(0, self.place - reach), self.place + reach

    def gaps(self, values: ArrayLike) -> NDArray[np.float64]:
        """The distance of each absolute value from the number."""
        return np.asarray(np.abs(np.abs(np.asarray(values, np.float64)) - self.size), np.float64)

    def matches(self, values: ArrayLike) -> NDArray[np.bool_]:
        """Whether each absolute value rounds to the number at its printed digits."""
        return np.asarray(self.gaps(values) <= self.step * _HALF, np.bool_)

    def roundings(self, values: ArrayLike) -> NDArray[np.float64]:
        """The two numbers that each absolute value may be printed as, in units of the last digit; shape (values, 2).

        They differ for a value halfway between two, which papers round in either way; `matches` is true of both.
        """
        places = np.abs(np.asarray(values, np.float64)) / self.step
        return np.column_stack([np.ceil(places - _HALF), np.floor(places + _HALF)])


def printed(number: str) -> Printed:
    """Parse `39.88`, `-14,07` or `74.3 %`; decimal commas are accepted. InputError if it is not a number."""
    text = number.strip().lstrip("+-−").replace(",", ".").strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise InputError(f"'{number}' is not a number such as 39.88.")
    return Printed(float(found[1]), len(found[1].partition(".")[2]), bool(found[2]))

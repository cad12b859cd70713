"""Intervals of products and differences from those of their parts: variance estimates recovery (MOVER).

A part's distance to its bound stands for the standard error in that direction, so bounds stay uneven near 0 and 1
(Zou & Donner 2008, Statistics in Medicine; Donner & Zou 2012, Statistical Methods in Medical Research).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its 95 % interval; the bounds are NaN where there is too little to tell."""

    value: float
    low: float
    high: float

    @property
    def rest(self) -> Estimate:
        """What is missing to 1."""
        return Estimate(1 - self.value, 1 - self.high, 1 - self.low)


def product(one: Estimate, other: Estimate, correlation: float) -> Estimate:
    """Of two numbers of at least 0, of estimates that are correlated so; what both add together is left out."""
    low = _reach(other.value * (one.value - one.low), one.value * (other.value - other.low), correlation)
    high = _reach(other.value * (one.high - one.value), one.value * (other.high - other.value), correlation)
    value = one.value * other.value
    return Estimate(value, value - low, value + high)


def difference(one: Estimate, other: Estimate, correlation: float) -> Estimate:
    low = _reach(one.value - one.low, other.high - other.value, -correlation)
    high = _reach(one.high - one.value, other.value - other.low, -correlation)
    value = one.value - other.value
    return Estimate(value, value - low, value + high)


def correlation(one: pd.Series, other: pd.Series, clusters: pd.Series) -> float:
    """Of the means of two columns, as clusters of rows move them; 0 if none moves one of them. All are aligned."""
    codes, _ = pd.factorize(clusters.to_numpy())
    known = codes >= 0
    moves = (np.nan_to_num((column - column.mean()).to_numpy(np.float64)) for column in (one, other))
    first, second = (np.bincount(codes[known], of_rows[known]) for of_rows in moves)
    scale = np.sqrt((first @ first) * (second @ second))
    return float(first @ second / scale) if scale else 0.0


def _reach(one: float, other: float, correlation: float) -> float:
    return float(np.sqrt(np.maximum(0.0, one**2 + other**2 + 2 * correlation * one * other)))

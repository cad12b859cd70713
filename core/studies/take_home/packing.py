"""Weights as text: numbers to the base 93, whose digits are the printable characters of ASCII but for `<`.

Base64 has six bits in a character, this 6.5, and no sign that ends a script in HTML. A vector is its 32-bit numbers,
five digits each. A matrix is the exponents of its rows, two digits each, its levels, three of them in five
digits, and the rows that are not rounded, as vectors.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.models.rounded import LEVELS, Matrix, Rounded

BASE = 93
_SIDE = 2 * LEVELS + 1


def packed(network: Rounded) -> tuple[str, list[list[str | int]]]:
    """The text of all parts, and the list by which it is read: [name, rows, columns, exact rows] or [name, size]."""
    vectors = {"turns": network.turns, **network.vectors}
    text = "".join([*map(_vector, vectors.values()), *map(_matrix, network.matrices.values())])
    listed: list[list[str | int]] = [[name, len(part)] for name, part in vectors.items()]
    return text, listed + [[name, *part.levels.shape, *part.exact] for name, part in network.matrices.items()]


def _vector(numbers: NDArray[np.float32]) -> str:
    return _digits(np.ascontiguousarray(numbers, "<f4").view("<u4").astype(np.int64), 5)


def _matrix(part: Matrix) -> str:
    levels = part.levels.astype(np.int64).ravel() + LEVELS
    first, second, third = np.concatenate([levels, np.zeros(-len(levels) % 3, np.int64)]).reshape(-1, 3).T
    threes = (first * _SIDE + second) * _SIDE + third
    exact = "".join(map(_vector, part.exact.values()))
    return _digits(part.exponents.astype(np.int64), 2) + _digits(threes, 5) + exact


def _digits(numbers: NDArray[np.int64], size: int) -> str:
    """Each number as so many digits, the highest first."""
    places = BASE ** np.arange(size - 1, -1, -1, dtype=np.int64)
    codes = numbers[:, None] // places % BASE + ord("!")
    return (codes + (codes >= ord("<"))).astype(np.uint8).tobytes().decode("ascii")

"""A causal network of `pairlens.models.plain` with rounded weights, small enough to be handed on inside a page.

Each row of a matrix is divided into steps of equal size, `LEVELS` on either side of zero, the row's largest weight
being the last: three levels are a number of five digits to the base 93 (`pairlens.studies.take_home.making`). With
the 127 of eight bits, 20 of 3,300 decisions of BLiMP moved instead of 3. Norms, biases and rows in which one weight
outdoes all others stay as they are: that of the symbol that starts a text moved margins by 0.08 bits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pairlens.models.loading import load_window
from pairlens.models.plain.shapes import Shape
from pairlens.types import Model

LEVELS = 953
OUTDONE = 9.0
"""A row with a weight so many times its root mean square is not rounded."""
FINENESS, SMALLEST = 360, -20.0
"""Sizes of steps are powers of 2 from 2 ** SMALLEST on, FINENESS to an octave."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """`levels` (rows, columns) times 2 ** (SMALLEST + exponent / FINENESS) per row; `exact` has the other rows."""

    levels: NDArray[np.int16]
    exponents: NDArray[np.int16]
    exact: Mapping[int, NDArray[np.float32]] = field(default_factory=dict)

    def weights(self) -> NDArray[np.float32]:
        steps = np.exp2(SMALLEST + self.exponents.astype(np.float64) / FINENESS)
        weights = (self.levels * steps[:, None]).astype(np.float32)
        for row, own in self.exact.items():
            weights[row] = own
        return weights


@dataclass(frozen=True, slots=True, eq=False)
class Rounded:
    """A network's matrices and vectors by name; `turns` are radians per position of each pair of dimensions.

    Names and order are those of `pairlens.models.plain.called`: queries, keys and values are one matrix, in which the
    two dimensions that are turned together are neighbours. `lm_head` is missing if its weights are the embeddings'.
    """

    shape: Shape
    window: int
    turns: NDArray[np.float32]
    matrices: dict[str, Matrix]
    vectors: dict[str, NDArray[np.float32]]


def rounded(model: Model) -> Rounded | None:
    """The model with rounded weights; None if it is no causal network of `pairlens.models.plain`."""
    from pairlens.models.plain import called  # its classes are torch's
    from pairlens.models.plain.stack import rates

    network = called.network(model, "causal")
    if network is None:
        return None
    parts = {name.removeprefix("body."): part.numpy() for name, part in network.state_dict().items()}
    if network.shape.tied:
        del parts["lm_head.weight"]
    return Rounded(
        shape=network.shape,
        window=load_window(model),
        turns=rates(network.shape).numpy(),
        matrices={name: matrix(part) for name, part in parts.items() if part.ndim == 2},
        vectors={name: part for name, part in parts.items() if part.ndim == 1},
    )


def matrix(weights: NDArray[np.float32]) -> Matrix:
    """A matrix (rows, columns) rounded, each row by its largest weight, but for those that this weight outdoes."""
    largest = np.abs(weights.astype(np.float64)).max(axis=1)
    usual = np.sqrt((weights.astype(np.float64) ** 2).mean(axis=1))
    octaves = np.log2(np.maximum(largest / LEVELS, 2.0**SMALLEST)) - SMALLEST
    exponents = np.ceil(octaves * FINENESS)
    steps = np.exp2(SMALLEST + exponents / FINENESS)
    exact = {int(row): weights[row] for row in np.flatnonzero(largest > OUTDONE * usual)}
    return Matrix(np.rint(weights / steps[:, None]).astype(np.int16), exponents.astype(np.int16), exact)

"""Weights as text: read again by other arithmetic than wrote them, and as near to the weights as the steps allow."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from core.models.plain.shapes import Shape
from core.models.rounded import FINENESS, LEVELS, SMALLEST, Matrix, Rounded, matrix
from core.studies.take_home.making import packed

SHAPE = Shape(vocabulary=4, width=4, inner=4, layers=1, heads=1, head_width=4, groups=1, context=8, epsilon=1e-5)
DIGITS = [chr(code) for code in range(33, 127) if chr(code) != "<"]
WEIGHTS = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=st.floats(-8, 8, width=32))


def number(text):
    return sum(DIGITS.index(digit) * 93**place for place, digit in enumerate(reversed(text)))


@given(WEIGHTS, arrays(np.float32, 3, elements=st.floats(-1e6, 1e6, width=32)))
def test_what_is_packed_can_be_read(weights, vector):
    made = matrix(weights)
    text, listed = packed(Rounded(SHAPE, 8, vector, {"one": made}, {"other": vector}))
    assert listed == [["turns", 3], ["other", 3], ["one", *weights.shape]]
    assert not set(text) - set(DIGITS)
    rows = len(weights)
    assert [number(text[5 * i : 5 * i + 5]) for i in range(3)] == vector.view(np.uint32).tolist()
    rest = text[30:]
    assert [number(rest[2 * i : 2 * i + 2]) for i in range(rows)] == made.exponents.tolist()
    threes = [number(rest[place : place + 5]) for place in range(2 * rows, len(rest), 5)]
    side = 2 * LEVELS + 1
    levels = [level for three in threes for level in (three // side**2, three // side % side, three % side)]
    assert [level - LEVELS for level in levels[: weights.size]] == made.levels.ravel().tolist()


@given(WEIGHTS)
def test_a_weight_moves_by_half_a_step_at_most(weights):
    made = matrix(weights)
    assert np.abs(made.levels).max() <= LEVELS
    largest = np.maximum(np.abs(weights).max(axis=1), LEVELS * 2.0**SMALLEST)
    steps = largest / LEVELS * 2 ** (1 / FINENESS)
    assert (np.abs(made.weights() - weights) <= steps[:, None] * 0.5001).all()


def test_a_row_that_one_weight_outdoes_stays_as_it_is_and_others_are_multiples_of_the_step():
    weights = np.full((2, 200), 0.1, np.float32)
    weights[1, 3] = 5.0
    made = matrix(weights)
    assert list(made.exact) == [1]
    assert made.weights()[1].tolist() == weights[1].tolist()
    text, listed = packed(Rounded(SHAPE, 8, np.empty(0, np.float32), {"one": made}, {}))
    assert listed == [["turns", 0], ["one", 2, 200, 1]]
    numbers = [number(text[place : place + 5]) for place in range(len(text) - 1000, len(text), 5)]
    assert numbers == weights[1].view(np.uint32).tolist()
    made = Matrix(np.array([[1, -953]], np.int16), np.array([20 * FINENESS], np.int16))
    assert made.weights().tolist() == [[1.0, -953.0]]

"""Weights as text: read again by other arithmetic than wrote them, and as near to the weights as the steps allow."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from pairlens.models.plain.shapes import Shape
from pairlens.models.rounded import FINENESS, LEVELS, SMALLEST, Matrix, Rounded, matrix
from pairlens.studies.lesson import Lesson, Step
from pairlens.studies.take_home.making import packed, read_votes
from tests.refusals import error_of

SHAPE = Shape(vocabulary=4, width=4, inner=4, layers=1, heads=1, head_width=4, groups=1, context=8, epsilon=1e-5)
DIGITS = [chr(code) for code in range(33, 127) if chr(code) != "<"]
WEIGHTS = arrays(np.float32, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=st.floats(-8, 8, width=32))


def number(text):
    return sum(DIGITS.index(digit) * 93**place for place, digit in enumerate(reversed(text)))


@given(WEIGHTS, arrays(np.float32, 3, elements=st.floats(-1e6, 1e6, width=32)))
def test_what_is_packed_can_be_read(weights, vector):
    made = matrix(weights)
    text, listed = packed(Rounded(SHAPE, 8, vector, {"one": made}, {"other": vector}))
    assert listed == [["turns", 3], ["other", 3], ["one", *weights.shape]] and not set(text) - set(DIGITS)
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
    assert list(made.exact) == [1] and made.weights()[1].tolist() == weights[1].tolist()
    text, listed = packed(Rounded(SHAPE, 8, np.empty(0, np.float32), {"one": made}, {}))
    assert listed == [["turns", 0], ["one", 2, 200, 1]]
    numbers = [number(text[place : place + 5]) for place in range(len(text) - 1000, len(text), 5)]
    assert numbers == weights[1].view(np.uint32).tolist()
    made = Matrix(np.array([[1, -953]], np.int16), np.array([20 * FINENESS], np.int16))
    assert made.weights().tolist() == [[1.0, -953.0]]


LESSON = Lesson(
    "L", (Step(pair=("A.", "B.")), Step(prefix="The", forms=("is", "are")), Step(prefix="She opened the"))
)


def votes(folder, *rows, name="votes.csv"):
    path = folder / name
    path.write_text("\n".join(["step,choice,votes", *rows]), "utf-8")
    return path


def test_votes_are_read_by_step_also_of_json_add_up_and_must_be_there(tmp_path):
    path = votes(tmp_path, "1,A,18", "1,B,6", "3,door,2", "1,A,1", "3,window,0")
    assert read_votes(path, LESSON) == [{"A": 19, "B": 6}, {}, {"door": 2, "window": 0}]
    path = tmp_path / "votes.json"
    path.write_text('[{"step": 2, "choice": "are", "votes": 7}]')
    assert read_votes(path, LESSON) == [{}, {"are": 7}, {}]
    path = tmp_path / "votes.csv"
    path.write_text("step,A,B\n1,2,3\n")
    assert "no column 'choice'" in error_of(lambda: read_votes(path, LESSON))


@pytest.mark.parametrize(
    ("row", "said"),
    [("4,A,1", "'step' should be a whole number from 1 to 3, not 4"), ("0,A,1", "'step' should be"),
     ("one,A,1", "'step' should be"), ("1,C,1", "'C' is no choice of this step: A, B"),
     ("2,was,1", "'was' is no choice of this step: is, are"), ("1,A,-1", "'votes' should be a whole number"),
     ("1,A,2.5", "'votes' should be a whole number"), ("1,A,nan", "'votes' should be a whole number"),
     ("1,A,inf", "'votes' should be a whole number"), ("3,,1", "is no choice")],
)  # fmt: skip
def test_what_is_no_vote_is_refused_with_its_row(row, said, tmp_path):
    message = error_of(lambda: read_votes(votes(tmp_path, row), LESSON))
    assert said in message and "row 2" in message

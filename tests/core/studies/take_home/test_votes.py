"""What a class voted, from a table."""

import pytest

from core.studies.lesson import Lesson, Step
from core.studies.take_home.making import read_votes
from tests.refusals import error_of

LESSON = Lesson(
    "L", (Step(pair=("A.", "B.")), Step(prefix="The", forms=("is", "are")), Step(prefix="She opened the"))
)


def votes(folder, *rows, name="votes.csv"):
    path = folder / name
    path.write_text("\n".join(["step,choice,votes", *rows]), "utf-8")
    return path


def test_votes_are_read_by_step_also_of_json_and_add_up(tmp_path):
    path = votes(tmp_path, "1,A,18", "1,B,6", "3,door,2", "1,A,1", "3,window,0")
    assert read_votes(path, LESSON) == [{"A": 19, "B": 6}, {}, {"door": 2, "window": 0}]
    path = tmp_path / "votes.json"
    path.write_text('[{"step": 2, "choice": "are", "votes": 7}]')
    assert read_votes(path, LESSON) == [{}, {"are": 7}, {}]


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
    assert said in message
    assert "row 2" in message


def test_a_table_without_votes_is_refused(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("step,A,B\n1,2,3\n")
    assert "no column 'choice'" in error_of(lambda: read_votes(path, LESSON))

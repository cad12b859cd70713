"""Shares, margins and who errs, worked out by hand; the table of votes."""

import math

import pytest

from core.studies.classroom.classroom import Answer, Classroom
from core.studies.classroom.shares import (
    BOTH_ERR,
    NEITHER,
    ONLY_CLASS,
    ONLY_MODEL,
    OTHERS,
    Tally,
    finding,
    margin,
    outcome,
    table,
    tally,
    verdict,
    votes_csv,
)
from core.studies.lesson import Lesson, Step

PAIR = Step(pair=("It is.", "It are."), expected="A")
RIGHT, WRONG, SILENT = (
    Answer("A", "", {"A": -3.0, "B": -5.5}),
    Answer("B", "", {"A": -6.0, "B": -5.5}),
    Answer("", ""),
)


def voted(*votes, step=PAIR, answers=()):
    """A class in which these were the votes, by phone, and all answers were shown."""
    room = Classroom(Lesson("A lesson", (step,) * len(votes)), "m", answers or (RIGHT,) * len(votes))
    room.votes, room.stages = list(votes), ["revealed"] * len(votes)
    return room


@pytest.mark.parametrize(
    ("counts", "answer", "expected"),
    [({"A": 3, "B": 1}, RIGHT, NEITHER), ({"A": 3, "B": 1}, WRONG, ONLY_MODEL),
     ({"A": 3, "B": 1}, SILENT, ONLY_MODEL), ({"A": 1, "B": 3}, RIGHT, ONLY_CLASS),
     ({"A": 2, "B": 2}, RIGHT, ONLY_CLASS), ({"A": 2, "B": 2}, WRONG, BOTH_ERR), ({"A": 0, "B": 0}, RIGHT, "")],
)  # fmt: skip
def test_who_errs(counts, answer, expected):
    assert outcome(PAIR, Tally(counts), answer) == expected
    assert outcome(Step(pair=PAIR.pair, expected="none"), Tally(counts), answer) == ""
    assert outcome(Step(pair=PAIR.pair), Tally(counts), answer) == ""


def test_margins_are_the_lead_of_what_is_expected():
    assert margin(PAIR, RIGHT) == 2.5
    assert margin(PAIR, WRONG) == -0.5
    assert margin(Step(pair=PAIR.pair, expected="B"), RIGHT) == -2.5
    assert margin(Step(pair=PAIR.pair), RIGHT) == 2.5
    forms = Step(prefix="The keys", forms=("is", "are", "was"), expected="are")
    assert margin(forms, Answer("was", "", {"is": -4.0, "are": -2.0, "was": -1.5})) == -0.5
    assert math.isnan(margin(PAIR, SILENT)) and math.isnan(margin(PAIR, Answer("", "", {"A": -3.0})))
    assert math.isnan(margin(Step(prefix="The keys"), Answer("are", "", {"are": -2.0, "is": -4.0})))


def test_words_of_one_phone_are_counted_but_not_shown_and_no_choice_of_the_class():
    votes = {"1": "were", "2": "Were", "3": "were", "4": "are", "5": "rust", "6": "Anna", "7": "lie", "8": "lie"}
    room = voted(votes, step=Step(prefix="The keys"), answers=(Answer("were", "", {"were": -2.0, "are": -3.0}),))
    assert dict(tally(room, 1).counts) == {"were": 3, "lie": 2, "are": 1, OTHERS: 2}
    assert tally(room, 1).choice == "were" and tally(room, 1).votes == 8
    assert verdict(room, 1) == "The class and m agree."
    assert "Anna" not in votes_csv(room) and f"1,{OTHERS},2" in votes_csv(room)
    room = voted({"1": "a", "2": "b", "3": "c"}, step=Step(prefix="The keys"), answers=(SILENT,))
    assert (tally(room, 1).counts, tally(room, 1).choice) == ({OTHERS: 3}, "")


def test_verdicts():
    for votes, answer, said in (
        ({}, RIGHT, "Nobody has voted."),
        ({"1": "A", "2": "B"}, RIGHT, "The class is divided."),
        ({"1": "A"}, SILENT, "m has no answer."),
        ({"1": "A"}, RIGHT, "The class and m agree."),
        ({"1": "A"}, WRONG, "The class and m disagree."),
    ):
        assert verdict(voted(votes, answers=(answer,)), 1) == said


def test_the_table_has_the_steps_whose_answers_were_shown():
    room = voted({"1": "A", "2": "A", "3": "B"}, {"1": "B"}, {}, answers=(RIGHT, WRONG, RIGHT))
    room.hands[0]["A"] = 1
    room.stages[2] = "open"
    shown = table(room)
    assert shown["step"].tolist() == [1, 2]
    assert shown["votes"].tolist() == [4, 1]
    assert shown["class_share"].tolist() == [0.75, 0.0]
    assert shown["margin_bits"].tolist() == [2.5, -0.5]
    assert shown["outcome"].tolist() == [NEITHER, BOTH_ERR]
    assert finding(shown) == "The class is right in 1 of 2 steps, the model in 1; both err in 1."
    assert finding(shown.head(0)) == ""
    assert votes_csv(room) == "step,choice,votes\n1,A,3\n1,B,1\n2,A,0\n2,B,1\n"

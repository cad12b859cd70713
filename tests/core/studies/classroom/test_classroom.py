"""A class: whatever phones and the teacher do in whatever order, each phone counts once, with its last choice."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError
from pairlens.studies.classroom import shares
from pairlens.studies.classroom.classroom import MOST_PHONES, OPEN, Answer, Classroom, choices, offered, restored
from pairlens.studies.lesson import Lesson, Step
from tests.class_server import MODEL, answers, lesson
from tests.refusals import error_of


def class_of(of=None):
    of = of or lesson()
    return Classroom(of, MODEL, answers(of))


def open_at(number):
    """A class with a phone, at an open step."""
    room = class_of()
    room.join("p")
    room.go(number)
    room.open()
    return room


PHONES = st.sampled_from(["p1", "p2", "p3"])
ACTS = st.one_of(
    st.tuples(st.just("vote"), PHONES, st.integers(0, 5), st.sampled_from(["A", "B", "was", "were", "rust", ""])),
    st.tuples(st.just("join"), PHONES),
    st.tuples(st.sampled_from(["open", "reveal", "restart", "end"])),
    st.tuples(st.just("go"), st.integers(-1, 6)),
)


@given(st.lists(ACTS, max_size=60))
def test_the_last_choice_of_each_phone_before_the_answer_counts_and_nothing_else(acts):
    """Beside a model of votes that is no more than a dictionary."""
    room, joined, counted = class_of(), set(), [{} for _ in lesson().steps]
    for act, *given_ in acts:
        before = json.dumps(room.stated(), sort_keys=True)
        try:
            if act == "restart":
                room = restored(json.loads(before))
            else:
                getattr(room, act)(*given_)
        except InputError:
            assert json.dumps(room.stated(), sort_keys=True) == before
            continue
        if act == "join":
            joined.add(given_[0])
        if act == "vote":
            phone, number, choice = given_
            assert phone in joined and room.at == number and room.stages[number - 1] == OPEN and not room.ended
            counted[number - 1][phone] = choice
    assert room.phones == joined
    for number, expected in enumerate(counted, start=1):
        assert room.votes[number - 1] == expected and shares.tally(room, number).votes == len(expected)


def test_what_was_shown_stays_shown_what_was_left_open_can_be_voted_on_again_and_hands_are_counted_anew():
    room = open_at(1)
    room.vote("p", 1, "A")
    room.reveal()
    room.open()
    assert room.stage == "revealed"
    for wrong in (lambda: room.vote("p", 1, "B"), lambda: room.raise_hands(1, "B", 3)):
        with pytest.raises(InputError):
            wrong()
    room.go(2)
    room.go(1)
    assert (room.stage, shares.tally(room, 1).counts) == ("revealed", {"A": 1, "B": 0})
    room = open_at(1)
    room.go(2)
    assert "closed" in error_of(lambda: room.vote("p", 1, "A"))
    room.go(1)
    room.vote("p", 1, "A")
    room = open_at(1)
    room.vote("p", 1, "B")
    for n in (3, 4, 4):
        room.raise_hands(1, "B", n)
    room.raise_hands(1, "A", 2)
    assert shares.tally(room, 1).counts == {"A": 2, "B": 5}
    for choice, n in (("C", 1), ("A", -1), ("A", 1000)):
        with pytest.raises(InputError, match="cannot be counted"):
            room.raise_hands(1, choice, n)


@pytest.mark.parametrize(
    "word",
    ["", " ", "two words", "a" * 41, "a\tb", "=1+1", "a\u2028b", "\u202ea", "\u3164", "\uffa0x", "x\u115f",
     "a\u2800b"],
)  # fmt: skip
def test_only_a_word_can_be_typed(word):
    assert "one word" in error_of(lambda: open_at(4).vote("p", 4, word))


def test_more_phones_than_a_school_has_and_a_class_of_another_version_are_refused():
    room = class_of()
    for number in range(MOST_PHONES):
        room.join(str(number))
    room.join("0")
    assert "300 phones have joined" in error_of(lambda: room.join("one more"))
    room.end()
    assert "has ended" in error_of(lambda: room.join("0"))
    assert "another version" in error_of(lambda: restored({**class_of().stated(), "format": 2}))


def test_neither_the_place_of_a_choice_tells_the_answer_nor_is_a_code_a_word():
    pairs = [Step(pair=(f"They are {n}.", f"They is {n}."), expected="A") for n in range(40)]
    room = class_of(Lesson("", tuple(pairs)))
    assert 5 < sum(room.flipped) < 35
    for number, flipped in enumerate(room.flipped, start=1):
        assert list(offered(room, number)) == (["B", "A"] if flipped else ["A", "B"])
        assert offered(room, number)["A"] == f"They are {number - 1}."
    assert restored(json.loads(json.dumps(room.stated()))) == room and not any(class_of().flipped)
    codes = {class_of().code for _ in range(200)}
    assert len(codes) > 190 and not set("".join(codes)) & set("AEIOULY0123456789")


def test_a_phone_is_told_nothing_of_the_answer_before_it_is_shown():
    room = class_of()
    room.join("p")
    room.join("q")
    assert shares.told(room, "p")["stage"] == "joined"
    for number, step in enumerate(room.lesson.steps, start=1):
        room.go(number)
        assert shares.told(room, "p")["stage"] == "ahead" and "choices" not in shares.told(room, "p")
        room.open()
        choice = (choices(step) or ("were",))[0]
        room.vote("q", number, choice)
        said = shares.told(room, "p")
        assert (said["stage"], said["mine"]) == ("open", "")
        assert not {"answer", "expected", "notice", "votes"} & said.keys()
        room.vote("p", number, choice)
        assert shares.told(room, "p")["mine"] == choice
        room.reveal()
        assert shares.told(room, "p")["answer"]["counts"] == {**dict.fromkeys(choices(step), 0), choice: 2}
    room.go(5)
    assert shares.told(room, "p")["stage"] == "end"


PAIR = Step(pair=("It is.", "It are."), expected="A")
RIGHT, WRONG = Answer("A", "", {"A": -3.0, "B": -5.5}), Answer("B", "", {"A": -6.0, "B": -5.5})
SILENT = Answer("", "")


def voted(*votes, step=PAIR, answers=()):
    """A class in which these were the votes, by phone, and all answers were shown."""
    room = Classroom(Lesson("A lesson", (step,) * len(votes)), "m", answers or (RIGHT,) * len(votes))
    room.votes, room.stages = list(votes), ["revealed"] * len(votes)
    return room


@pytest.mark.parametrize(
    ("counts", "answer", "expected"),
    [({"A": 3, "B": 1}, RIGHT, shares.NEITHER), ({"A": 3, "B": 1}, WRONG, shares.ONLY_MODEL),
     ({"A": 3, "B": 1}, SILENT, shares.ONLY_MODEL), ({"A": 1, "B": 3}, RIGHT, shares.ONLY_CLASS),
     ({"A": 2, "B": 2}, RIGHT, shares.ONLY_CLASS), ({"A": 2, "B": 2}, WRONG, shares.BOTH_ERR),
     ({"A": 0, "B": 0}, RIGHT, "")],
)  # fmt: skip
def test_who_errs(counts, answer, expected):
    assert shares.outcome(PAIR, shares.Tally(counts), answer) == expected
    assert shares.outcome(Step(pair=PAIR.pair, expected="none"), shares.Tally(counts), answer) == ""
    assert shares.outcome(Step(pair=PAIR.pair), shares.Tally(counts), answer) == ""


def test_margins_are_the_lead_of_what_is_expected_and_verdicts():
    assert shares.margin(PAIR, RIGHT) == 2.5 and shares.margin(PAIR, WRONG) == -0.5
    assert shares.margin(Step(pair=PAIR.pair, expected="B"), RIGHT) == -2.5
    assert shares.margin(Step(pair=PAIR.pair), RIGHT) == 2.5
    forms = Step(prefix="The keys", forms=("is", "are", "was"), expected="are")
    assert shares.margin(forms, Answer("was", "", {"is": -4.0, "are": -2.0, "was": -1.5})) == -0.5
    assert math.isnan(shares.margin(PAIR, SILENT)) and math.isnan(shares.margin(PAIR, Answer("", "", {"A": -3.0})))
    assert math.isnan(shares.margin(Step(prefix="The keys"), Answer("are", "", {"are": -2.0, "is": -4.0})))
    for votes, answer, said in (
        ({}, RIGHT, "Nobody has voted."),
        ({"1": "A", "2": "B"}, RIGHT, "The class is divided."),
        ({"1": "A"}, SILENT, "m has no answer."),
        ({"1": "A"}, RIGHT, "The class and m agree."),
        ({"1": "A"}, WRONG, "The class and m disagree."),
    ):
        assert shares.verdict(voted(votes, answers=(answer,)), 1) == said


def test_words_of_one_phone_are_counted_but_not_shown_and_no_choice_of_the_class():
    votes = {"1": "were", "2": "Were", "3": "were", "4": "are", "5": "rust", "6": "Anna", "7": "lie", "8": "lie"}
    room = voted(votes, step=Step(prefix="The keys"), answers=(Answer("were", "", {"were": -2.0, "are": -3.0}),))
    assert dict(shares.tally(room, 1).counts) == {"were": 3, "lie": 2, "are": 1, shares.OTHERS: 2}
    assert shares.tally(room, 1).choice == "were" and shares.tally(room, 1).votes == 8
    assert shares.verdict(room, 1) == "The class and m agree."
    assert "Anna" not in shares.votes_csv(room) and f"1,{shares.OTHERS},2" in shares.votes_csv(room)
    room = voted({"1": "a", "2": "b", "3": "c"}, step=Step(prefix="The keys"), answers=(SILENT,))
    assert (shares.tally(room, 1).counts, shares.tally(room, 1).choice) == ({shares.OTHERS: 3}, "")


def test_the_table_has_the_steps_whose_answers_were_shown():
    room = voted({"1": "A", "2": "A", "3": "B"}, {"1": "B"}, {}, answers=(RIGHT, WRONG, RIGHT))
    room.hands[0]["A"] = 1
    room.stages[2] = "open"
    shown = shares.table(room)
    assert shown["step"].tolist() == [1, 2] and shown["votes"].tolist() == [4, 1]
    assert shown["class_share"].tolist() == [0.75, 0.0] and shown["margin_bits"].tolist() == [2.5, -0.5]
    assert shown["outcome"].tolist() == [shares.NEITHER, shares.BOTH_ERR]
    assert shares.finding(shown) == "The class is right in 1 of 2 steps, the model in 1; both err in 1."
    assert shares.finding(shown.head(0)) == ""
    assert shares.votes_csv(room) == "step,choice,votes\n1,A,3\n1,B,1\n2,A,0\n2,B,1\n"

"""The teacher's page: a lesson from the first phone to class against model, and a dashboard without a class."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.classroom import served
from pages.components.shared import frame
from pairlens import sharing
from pairlens.places import FOLDER as ROOT
from pairlens.store import Store
from pairlens.studies.classroom import kept
from pairlens.studies.classroom.classroom import Classroom, choices
from pairlens.studies.classroom.kept import Kept
from tests.class_server import MODEL, answers, lesson
from tests.on_page import downloads, errors, markup, press, words


@pytest.fixture
def running(home):
    """A class that this process serves, with three phones."""
    with kept.opened(kept.begin(lesson(), MODEL, answers(lesson()))) as one:
        served.SERVED.append(served.Served(one, "http://192.168.7.7:8501"))
        for phone in "pqr":
            one.change(lambda room, phone=phone: room.join(phone))
        yield one
        served.SERVED.clear()


@pytest.fixture
def page(home, monkeypatch):
    monkeypatch.setattr(frame, "_let_the_app_run_first", lambda: None)
    return lambda: AppTest.from_file(str(ROOT / "app.py")).switch_page("pages/classroom.py").run()


def vote(one: Kept, number: int, *votes: str) -> None:
    for phone, choice in zip("pqr", votes, strict=False):
        one.change(lambda room, phone=phone, choice=choice: room.vote(phone, number, choice))


def test_a_lesson_from_the_first_phone_to_the_last_chart(running, page):
    shown = page()
    code = running.now().code
    assert "192.168.7.7:8501" in words(shown) and code in words(shown) and "3 phones have joined." in words(shown)
    assert "Agreement &amp; &lt;attraction&gt;" in markup(shown) and "data:image/svg+xml" in markup(shown)
    press(shown, "Begin")
    for number, votes in enumerate((("A", "A", "B"), ("A", "A", "A"), ("was", "were"), ("were", "Were", "rust")), 1):
        assert "The vote is not open yet." in words(shown) and f"{number} of 4" in words(shown)
        press(shown, "Open the vote")
        vote(running, number, *votes)
        shown.run()
        assert f"{len(votes)} votes" in words(shown)
        assert "prefers" not in words(shown) and "speakers of English expect" not in words(shown)
        press(shown, "Show the answer")
        assert "agree" in words(shown) or "divided" in words(shown)
        press(shown, "Next" if number < 4 else "Class against model")
    assert "The class is right in 1 of 3 steps, the model in 2; both err in 1." in words(shown)
    (table,) = shown.dataframe
    assert table.value["votes"].tolist() == [3, 3, 2, 3]
    assert table.value["class_share"].tolist()[:3] == pytest.approx([2 / 3, 0, 0.5])
    pair = table.value.loc[0, ["a", "b"]].tolist()
    assert table.value.loc[0, "class_choice"] == pair[0] and table.value.loc[0, "model_choice"] in pair, "no letters"
    assert {"votes.csv", "Lesson", "CSV", "SVG"} <= {*downloads(shown)}
    press(shown, "Save to Results")
    assert "Saved to Results as pairs-" in words(shown) and len(Store().runs()) == 1
    press(shown, "End the class")
    assert running.now().ended and not errors(shown)
    assert [button.label for button in shown.button if button.label in ("End the class", "Next")] == []


def test_the_answer_stands_beside_the_shares(running, page):
    running.change(lambda room: room.go(1))
    running.change(Classroom.open)
    vote(running, 1, "A", "B", "B")
    running.change(Classroom.reveal)
    seen = words(page())
    assert "The class and english-small disagree." in seen
    assert "1 of 3 (33 %)" in seen and "2 of 3 (67 %)" in seen
    assert "english-small prefers this by 1.0 bits." in seen and "The verb agrees." in seen
    assert "It is what speakers of English expect." in seen and "bits of surprisal" in seen
    assert all(f"<b>{letter}</b>" in "".join(one.body for one in page().get("html")) for letter in "AB")


def test_hands_are_counted_and_a_reload_shows_them(running, page):
    running.change(lambda room: room.go(1))
    running.change(Classroom.open)
    shown = page()
    first, second = shown.number_input
    first.set_value(7).run()
    second.set_value(2).run()
    assert running.now().hands[0] == {"A": 7, "B": 2}
    again = page()
    assert [one.value for one in again.number_input] == [7, 2] and "9 votes" in words(again)


def test_a_button_of_a_window_that_is_behind_does_nothing(running, page):
    behind, ahead = page(), page()
    press(behind, "Begin")
    ahead.run()
    press(ahead, "Open the vote")
    press(ahead, "Show the answer")
    press(ahead, "Next")
    press(ahead, "Open the vote")
    next(one for one in behind.button if one.label == "Skip").click().run()
    room = running.now()
    assert (room.at, room.stages[:2]) == (2, ["revealed", "open"])


def test_steps_can_be_skipped_and_gone_back_to(running, page):
    shown = page()
    press(shown, "Begin")
    press(shown, "Skip")
    press(shown, "Back")
    assert running.now().at == 1
    for _ in range(4):
        press(shown, "Skip")
    assert "No answer was shown yet" in words(shown)


def test_where_no_class_is_served_it_says_how_to_begin_and_shows_earlier_ones(home, page):
    assert "make class LESSON=" in words(page())
    with kept.opened(kept.begin(lesson(), MODEL, answers(lesson()))) as one:
        one.change(lambda room: room.join("p"))
        one.change(lambda room: room.go(1))
        one.change(Classroom.open)
        vote(one, 1, "B")
        one.change(Classroom.reveal)
    shown = page()
    assert "The class is right in 0 of 1 steps, the model in 1; both err in 0." in words(shown)
    assert not errors(shown) and choices(lesson().steps[0])


def test_a_shared_dashboard_shows_no_earlier_classes(home, page):
    kept.begin(lesson(), MODEL, answers(lesson()))
    sharing.share("a test says so")
    shown = page()
    assert "make class LESSON=" in words(shown) and not shown.selectbox


def test_a_damaged_class_does_not_stop_the_page(home, page):
    kept.begin(lesson(), MODEL, answers(lesson()))
    (file,) = home.glob("classes/*/class.json")
    file.write_text("{}")
    assert not page().exception

"""The page Lesson, run as Streamlit runs it: a lesson is played, kept in the link, and opened from a file."""

import re

import pytest
import requests
import streamlit as st

from pairlens.store import uploads
from pairlens.studies.lesson import Lesson, Step, read, shipped, written
from pairlens.studies.lesson.lesson import measured
from pairlens.studies.take_home.making import take_home
from tests.on_page import downloads, errors, press, words

pytestmark = pytest.mark.model
LASTING = True
AGREEMENT = shipped("agreement")
ANSWERS = measured("agreement")["english-small"]
MINE = Lesson(
    "Mine",
    (
        Step(pair=("The <b>cats</b> are here.", "The <b>cats</b> is here."), expected="A", notice="$x$ <i>see</i>"),
        Step(prefix="The cats", forms=("is", "are"), question="And now?"),
        Step(prefix="The"),
    ),
    model="english-small",
)


@pytest.fixture
def visit(visit_page):
    """`visit(step="2")`: the page Lesson, or another one, as a link opens it."""
    return lambda name="lesson", **params: visit_page(name, **params)


def kept(name: str, text: str) -> str:
    """The id of an upload."""
    return uploads.id_of(uploads.keep([(name, text.encode())]))


def test_it_opens_with_a_question_and_no_answer(visit):
    page = visit()
    text = words(page)
    first = AGREEMENT.steps[0]
    assert first.question in text and AGREEMENT.about in text and "13 steps, 45 minutes" in text
    labels = [
        button.label.replace("\\", "") for button in page.button if button.key not in ("begin_class", "door_open")
    ]
    assert labels[:2] == [f"**{letter}**  {text}" for letter, text in zip("AB", first.pair or (), strict=True)]
    assert "Prefers" not in text and first.notice not in text and first.reference not in text


def test_a_step_is_predicted_revealed_and_left(visit):
    page = visit(step="6")
    step = AGREEMENT.steps[5]
    page = press(page, "**A**  The nurse with the keys waits outside\\.")
    assert "You chose" not in words(page) and "Prefers" not in words(page)
    page = press(page, "Show the answer")
    text = words(page)
    assert "You chose A; english-small takes B." in text
    assert f"english-small: Prefers B by {ANSWERS[5].bits:.1f} bits" in text
    assert step.notice in text and f"On the phenomenon: {step.reference}." in text
    assert "goes against speakers of English, who take A" in text
    page = press(page, "Next step")
    assert page.query_params["step"] == "7" and AGREEMENT.steps[6].question in words(page)
    assert "You chose" not in words(page)
    assert "You chose A; english-small takes B." in words(press(page, "Previous"))


def test_bits_are_guessed_beside_the_choice_and_come_back_with_the_link(visit):
    page = visit(step="2")
    page.number_input[0].set_value(3.0).run()
    assert "You guessed" not in words(page)
    page = press(page, "Show the answer")
    assert f"You guessed 3 bits; it is {ANSWERS[1].bits:.1f}." in words(page)
    again = visit(**{name: page.query_params[name] for name in page.query_params})
    assert "You guessed 3 bits" in words(again)
    for nonsense in ("many", "-1", "1000", "nan"):
        link = {"step": "2", "mine": page.query_params["mine"][0].removesuffix("3") + nonsense}
        assert visit(**link).number_input[0].value is None, nonsense


def test_a_shared_dashboard_names_the_command_that_begins_a_class(visit, monkeypatch):
    monkeypatch.setattr("pages.components.lesson.take.is_shared", lambda: True)
    page = visit(answering="french-small")
    assert page.code[0].value.endswith("class agreement --model french-small")
    assert not [button for button in page.button if button.key == "begin_class"]


def test_it_is_taken_home_as_a_file(visit, monkeypatch):
    made = {}
    monkeypatch.setattr(st, "download_button", lambda label, data, name, *__, **___: made.update({name: data}))
    page = visit(lesson_file=kept("mine.toml", written(MINE)))
    page.session_state["take_home"] = True
    assert not errors(page.run()) and "One HTML file of" in words(page)
    assert made["lesson.html"].decode() == take_home(MINE)
    page = visit(answering="bilingual-masked")
    page.session_state["take_home"] = True
    assert "cannot be taken home" in errors(page.run())[0]


def test_forms_are_chosen_and_words_are_guessed(visit):
    page = visit(step="3")
    page.pills[0].set_value("are").run()
    assert "You chose are; english-small takes is." in words(press(page, "Show the answer"))
    page = visit(step="7")
    likeliest = ANSWERS[6].chosen
    next(box for box in page.text_input if box.key != "door_path").set_value(likeliest).run()
    text = words(press(page, "Show the answer"))
    assert re.search(rf"You guessed “{likeliest}” \(\d+ %\): the likeliest word\.", text)
    assert f"Expects “{likeliest}”" in text


def test_the_end_shows_what_was_shown_and_no_more(visit):
    page = press(visit(step="6"), "Show the answer")
    page.query_params["step"] = "14"
    page.run()
    text, table = words(page), page.dataframe[0].value
    assert "english-small agrees with speakers of English in 0 of 1 step." in text
    assert "12 steps not shown yet" in text
    assert table["model"].tolist() == ["B" if number == 6 else "" for number in range(1, 14)]
    assert {"CSV", "Lesson (TOML)"} <= {*downloads(page)}


def test_a_whole_lesson_ends_with_what_was_measured(visit):
    page = visit(lesson="polarity")
    for _ in shipped("polarity").steps:
        page = press(press(page, "Show the answer"), "Next step")
        assert not errors(page)
    told = measured("polarity")["english-small"]
    right = sum(one.right is True for one in told)
    assert f"agrees with speakers of English in {right} of 13 steps." in words(page)
    other = [one.right for one in measured("polarity")["bilingual-masked"] if one.right is not None]
    others = f"bilingual-masked {sum(other)} of {len(other)}."
    assert f"Other bundled models, in the steps that they can take: {others}" in words(page)
    assert page.dataframe[0].value["model"].tolist() == [one.chosen for one in told]


def test_another_lesson_brings_its_own_model_and_begins_at_its_beginning(visit):
    page = visit(step="5", answering="bilingual-masked")
    assert page.selectbox(key="answering_shown").value == "bilingual-masked"
    page.selectbox(key="lesson_shown").set_value("participles").run()
    assert page.selectbox(key="answering_shown").value == "french-small"
    assert shipped("participles").steps[0].question in words(page)
    assert "step" not in page.query_params and "answering" not in page.query_params


def test_a_model_that_cannot_answer_says_why(visit):
    page = press(visit(step="2", answering="bilingual-masked"), "Show the answer")
    assert "cannot say what comes next" in errors(page)[0]
    page = press(visit(lesson="participles", answering="english-small"), "Show the answer")
    assert "english-small has read no French" in words(page) and "Prefers" not in words(page)


def test_a_lesson_of_ones_own_is_opened_by_its_id_and_is_never_markup(visit):
    page = press(visit(lesson_file=kept("mine.toml", written(MINE))), "Show the answer")
    text = "\n".join(element.proto.body for element in page.get("html"))
    assert not errors(page) and "$x$ &lt;i&gt;see&lt;/i&gt;" in text
    assert "<i>see" not in text and "<b>cats" not in text
    page = press(page, "Next step")
    assert "And now?" in words(page)
    assert "What comes next?" in words(press(page, "Next step"))


def test_a_link_that_leads_nowhere_is_said(visit):
    for link, sentence in (
        ({"lesson": "nope"}, "There is no lesson 'nope'. Known: agreement, participles, polarity."),
        ({"step": "99"}, "There is no step '99': this lesson has 13."),
        ({"step": "x" * 400}, "There is no step"),
        ({"answering": "gpt99"}, "There is no model"),
        ({"lesson_file": "0" * 32 + "/a.toml"}, "1 file of this link is not on this machine"),
    ):
        assert any(sentence in line for line in errors(visit(**link))), sentence


def test_a_file_is_a_lesson_or_says_why_not_and_another_can_be_chosen(visit, home):
    page = visit(lesson_file=kept("some pairs.csv", "good,bad\nThe cat sleeps.,The cat sleep.\n"))
    assert "some pairs" in words(page) and not errors(page)
    page = visit(lesson_file=kept("bad.toml", "title = ["))
    assert "bad.toml: this is not TOML" in errors(page)[0] and str(home) not in words(page)
    page.selectbox(key="lesson_shown").set_value("polarity").run()
    assert not errors(page) and "lesson_file" not in page.query_params


# Making one


def test_a_pair_and_a_beginning_become_a_lesson_that_is_played(visit):
    page = visit("compare", a="The dogs are here.", b="The dogs is here.", model="english-small")
    page.session_state["make_lesson"] = True
    page = press(page.run(), "Add this pair")
    page.text_area(key="draft_question").set_value("Which?")
    page.text_area(key="draft_notice").set_value("The verb.")
    page.selectbox(key="draft_expected").set_value("A")
    page.text_input(key="draft_title").set_value("Dogs & cats")
    page = press(page, "Add this pair")  # a second press adds nothing
    page.switch_page("pages/next_word.py").run()
    page.session_state["make_lesson"] = True
    page = press(page.run(), "Add this beginning")
    page = press(page, "Earlier")
    page = press(page, "Open it")
    assert page.query_params["lesson_file"].endswith("/dogs-cats.toml")
    lesson = read(uploads.find(page.query_params["lesson_file"]).path)  # type: ignore[union-attr]
    assert (lesson.title, lesson.model, lesson.language) == ("Dogs & cats", "english-small", "en")
    assert [bool(step.prefix) for step in lesson.steps] == [True, False]
    assert lesson.steps[1] == Step(
        pair=("The dogs are here.", "The dogs is here."), question="Which?", expected="A", notice="The verb."
    )
    assert "2 steps, 45 minutes" in words(page) and not errors(page)


def test_an_example_brings_its_note_and_a_step_can_be_taken_out(visit):
    page = visit("compare", model="english-small")
    page.session_state["make_lesson"] = True
    page = press(page.run(), "Add this pair")
    assert "Ask for a vote" in page.text_area(key="draft_notice").value
    assert "1 of 1 step has no question (item step 1)." in words(page)
    page = press(page, "Take out")
    assert "draft_notice" not in [area.key for area in page.text_area]


def test_a_lesson_that_ships_can_be_changed(visit):
    page = visit(step="14")
    page.session_state["make_lesson"] = True
    page = press(page.run(), "Add these 13 steps")
    made: Lesson = page.session_state["lesson_draft"]
    assert made == AGREEMENT


@pytest.mark.slow
def test_a_class_begins_with_one_click_and_ends_with_another(visit):
    page = visit()
    page = next(button for button in page.button if button.label == "Begin the class").click().run(timeout=300)
    assert not page.exception
    (link,) = [one.proto.url for one in page.get("link_button") if "teacher?key=" in one.proto.url]
    answer = requests.get(link, timeout=20)
    assert answer.ok and "code" in words(page)
    page = next(button for button in page.button if button.label == "End the class").click().run()
    assert any(button.label == "Begin the class" for button in page.button)
    with pytest.raises(requests.ConnectionError):
        requests.get(link, timeout=5)

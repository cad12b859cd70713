"""Which lesson and step; its question, a choice, the model's answer, what to notice; the end with all steps."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from pages.components.shared import notices, predict_first, resources
from pages.components.shared.downloads import File, show_chart, show_downloads
from pages.components.shared.given_files import given_file
from pages.components.shared.link import keep_in_link, link_to_compare
from pages.components.shared.make_lesson import make_lesson
from pages.components.shared.models import SCORABLE, listed, named, unreadable
from pages.components.shared.resources import read_file
from pages.components.shared.show_result import show_rows
from pages.components.shared.tables import show_strip, show_table
from pairlens.charts.next_word import WORD, likeliest
from pairlens.scoring.recipe import Recipe
from pairlens.store import uploads
from pairlens.studies.compare.pair import Comparison
from pairlens.studies.compare.tables import word_table
from pairlens.studies.compare.wording import agreement
from pairlens.studies.lesson import Lesson, Step, answering, read, shipped, written
from pairlens.studies.lesson.answering import Answer, beside, of_bundled, overview, summary, tally
from pairlens.studies.lesson.lesson import measured, names
from pairlens.studies.next_word.forms import FormComparison, guessed
from pairlens.studies.next_word.top_words import NextTokens
from pairlens.studies.next_word.wording import form_table, guess, word_bars
from pairlens.types import Model


def question_of(step: Step) -> object:
    """What tells a step's question from others: the same sentences are the same question on Compare."""
    return step.pair or ((step.prefix, step.forms) if step.forms else step.prefix)


def show_step(lesson: Lesson, number: int, recipe: Recipe) -> None:
    step = lesson.steps[number - 1]
    question, usual = question_of(step), "Which sentence is better?" if step.pair else "What comes next?"
    notices.text(step.question or usual, "pl-headline")
    if step.prefix:
        notices.write('<span class="pl-beginning">$prefix …</span>', prefix=step.prefix)
    if predict_first.was_revealed(question):
        with notices.explained_errors():
            _show_answer(lesson, step, recipe)
        if step.notice:
            notices.write('<div class="pl-pair">$notice</div>', notice=step.notice)
        if step.reference:
            notices.text(f"On the phenomenon: {step.reference}.", "pl-quiet")
    else:
        if step.pair:
            predict_first.choose_better(step.pair)
        elif step.forms:
            predict_first.choose_form(question, step.forms)
        else:
            predict_first.guess_word(question)
        if step.pair or step.forms:
            _guess_bits(question)
        predict_first.show_reveal(question)
    _show_way_on(lesson, number)


def _guess_bits(question: object) -> None:
    key = f"bits_{question}"
    st.session_state[key] = _guessed_bits(question)
    st.number_input(
        "By how many bits, do you think?", 0.0, _MOST_BITS, step=0.5, format="%.1f", key=key, width=260,
        placeholder="Your guess", on_change=lambda: predict_first.choose((BITS, question), _typed(key)),
    )  # fmt: skip


def _typed(key: str) -> str:
    return "" if st.session_state[key] is None else f"{st.session_state[key]:g}"


def _guessed_bits(question: object) -> float | None:
    """Nobody must guess, and a link may hold anything."""
    with suppress(ValueError):
        guess = float(predict_first.choice_of((BITS, question)))
        return guess if 0 <= guess <= _MOST_BITS else None
    return None


def _show_answer(lesson: Lesson, step: Step, recipe: Recipe) -> None:
    if reason := unreadable(step.pair or [step.prefix], recipe):
        notices.instead(reason)
        return
    answer, name = _answer(step, recipe), recipe.model.name
    for sentence in filter(None, (_own(step, answer, recipe), f"{name}: {answer.said}")):
        notices.text(sentence, "pl-second")
    if (bits := _guessed_bits(question_of(step))) is not None and not math.isnan(answer.bits):
        notices.text(f"You guessed {bits:g} bits; it is {answer.bits:.1f}.", "pl-second")
    basis = answer.found
    if isinstance(basis, Comparison):
        show_strip(word_table(basis))
    elif isinstance(basis, FormComparison):
        forms = form_table(basis, recipe.policy.unit)
        with st.container(width=480):
            show_rows(replace(forms, columns=forms.columns[:3]), None, "forms")
    elif len(bars := word_bars(basis)):
        with st.container(width=480):
            show_chart(likeliest(bars, answer.said, WORD, grows=False), f"likeliest_{basis.text}")
    if sentence := agreement(name, answer.right, step.expected, lesson.language):
        notices.text(sentence)


def _own(step: Step, answer: Answer, recipe: Recipe) -> str:
    """The visitor's choice beside the model's; of a guess, how likely it was."""
    choice = predict_first.choice_of(question_of(step))
    if choice and isinstance(answer.found, NextTokens):
        scorer = partial(resources.model_cache().scorer, recipe)
        return guess(guessed(step.prefix, choice, recipe, resources.store(), scorer), answer.found)
    return beside(choice, answer, recipe.model.name)


def _show_way_on(lesson: Lesson, number: int) -> None:
    """To the steps before and after, and to the page where one can go on with this one."""
    step = lesson.steps[number - 1]
    shown = predict_first.was_revealed(question_of(step))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Previous", icon=":material/arrow_back:", on_click=go_to, args=(number - 1,), disabled=number == 1)
        st.button(
            "Next step", icon=":material/arrow_forward:", type="primary" if shown else "secondary", on_click=go_to,
            args=(number + 1,),
        )  # fmt: skip
        if shown:
            if step.pair:
                link_to_compare(a=step.pair[0], b=step.pair[1], model=lesson.model)
            else:
                values = {"prefix": step.prefix, "forms": ", ".join(step.forms), "reader": lesson.model}
                params, icon = {name: value for name, value in values.items() if value}, ":material/text_fields:"
                st.page_link("pages/next_word.py", label="Open in Next word", icon=icon, query_params=params)


@resources.remembered("Asking …", 512, {Step: repr})
def _answer(step: Step, recipe: Recipe) -> Answer:
    (answer,) = answering.answers([step], recipe, resources.store(), partial(resources.model_cache().scorer, recipe))
    return answer


def show_end(opened: Opened, recipe: Recipe) -> None:
    """What was shown so far; steps that were not shown keep their answers."""
    lesson, model = opened.lesson, recipe.model.name
    answers: dict[int, Answer] = {}
    choices = [predict_first.choice_of(question_of(step)) for step in lesson.steps]
    for place, step in enumerate(lesson.steps):
        if predict_first.was_revealed(question_of(step)):
            with notices.explained_errors():
                answers[place] = _answer(step, recipe)
    for place, sentence in enumerate(tally(lesson, answers, choices, model)):
        notices.text(sentence, "pl-second" if place else "pl-headline")
    if hidden := len(lesson.steps) - len(answers):
        notices.note(f"{notices.counted(hidden, 'step')} not shown yet: their answers stay hidden here, too.")
    elif opened.name and (others := of_bundled(measured(opened.name), besides=model)):
        notices.text(f"Other bundled models, in the steps that they can take: {others}.", "pl-quiet")
    table = overview(lesson, answers, choices)
    show_table(
        table, alt="One row per step: what was asked, your choice, the model's, what is expected",
        column_config={
            "step": st.column_config.NumberColumn("Step", width="small"),
            "asked": st.column_config.TextColumn("Asked", width="large"),
            "you": "You",
            "model": model,
            "bits": st.column_config.NumberColumn("By (bits)", format="%.2f"),
            "expected": "Expected",
        },
    )  # fmt: skip
    name = opened.name or "lesson"
    with st.container(horizontal=True, vertical_alignment="center"):
        show_downloads(name, table, files=[File("Lesson (TOML)", lambda: written(lesson), f"{name}.toml")])
        make_lesson(f"Add these {len(lesson.steps)} steps", lesson.steps, replace(lesson, steps=()))


BITS, _MOST_BITS = "bits", 99.0
LESSON, FILE, MODEL, STEP = "lesson", "lesson_file", "answering", "step"
_OWN = "own"
_SHOWN, _ANSWERING = "lesson_shown", "answering_shown"
_LABEL = "A lesson: TOML, or a table with columns a and b, or prefix and forms, and a row per step"
_STEP_SHOWN = "step_shown"


@dataclass(frozen=True)
class Opened:
    lesson: Lesson
    name: str = ""


def choose_lesson() -> Opened | None:
    """The lesson of the link, else the first one that ships; None, and why, if it cannot be read."""
    uploaded, place = any(map(uploads.find, st.query_params.get_all(FILE))), st.container(width=320)
    with st.popover("Open a lesson", icon=":material/upload_file:"), st.container(width=420):
        path = given_file(_LABEL, "lesson_table", FILE, on_change=_leave)
    if (path is not None) != uploaded:
        st.rerun()  # for the name in the list
    linked = _OWN if path else st.query_params.get(LESSON, names()[0])
    listed = names() if linked != _OWN else [*names(), _OWN]
    st.session_state[_SHOWN] = linked if linked in listed else None
    place.selectbox(
        "Lesson", listed, key=_SHOWN, on_change=_take_lesson, placeholder="Choose a lesson",
        format_func=lambda name: "A lesson of your own" if name == _OWN else shipped(name).title,
    )  # fmt: skip
    with notices.explained_errors():
        return Opened(read_file(path, read, path)) if path else Opened(shipped(linked), linked)
    return None


def _take_lesson() -> None:
    """Callback: another lesson begins at its beginning, with its own model."""
    if (chosen := st.session_state[_SHOWN]) != _OWN:
        _leave()
        st.query_params.pop(FILE, None)
        keep_in_link(LESSON, str(chosen), unless=chosen == names()[0])


def _leave() -> None:
    """Callback: step and model of the lesson before mean nothing in the next one."""
    for name in (STEP, MODEL):
        st.query_params.pop(name, None)


def choose_answering(lesson: Lesson) -> Model | None:
    """The model that answers: the lesson's own until another is chosen. None, and why, if it cannot be used."""
    names = listed(SCORABLE)
    usual = lesson.model or names[0]
    st.session_state[_ANSWERING] = st.query_params.get(MODEL) or usual
    chosen = st.selectbox(
        "Model", names if usual in names else [usual, *names], key=_ANSWERING, accept_new_options=True, width=260,
        on_change=_take_model, args=(usual,),
    )  # fmt: skip
    return named(str(chosen), SCORABLE)


def _take_model(usual: str) -> None:
    """Callback: the link names the model, unless it is the lesson's own."""
    chosen = str(st.session_state[_ANSWERING] or usual)
    keep_in_link(MODEL, chosen, unless=chosen == usual)


def show_about(lesson: Lesson) -> None:
    notices.write("<strong>$title.</strong> $about", title=lesson.title, about=lesson.about)
    notices.text(summary(lesson), "pl-quiet")


def choose_step(n_steps: int) -> int:
    """The number of a step, from 1; `n_steps` + 1 is the end."""
    linked, last = st.query_params.get(STEP, "1"), n_steps + 1
    chosen = int(linked) if linked.isdecimal() and len(linked) < 4 and 0 < int(linked) <= last else 0
    if not chosen:
        notices.error(f"There is no step '{linked}': this lesson has {n_steps}.")
    st.session_state[_STEP_SHOWN] = chosen = chosen or 1
    st.segmented_control(
        "Step", range(1, last + 1), key=_STEP_SHOWN, required=True, wrap=True,
        on_change=lambda: go_to(int(st.session_state[_STEP_SHOWN])),
        format_func=lambda number: "End" if number == last else str(number),
    )  # fmt: skip
    return chosen


def go_to(number: int) -> None:
    keep_in_link(STEP, str(number), unless=number == 1)

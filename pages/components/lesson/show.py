"""One step: the question, a choice, the model's answer beside it, what to notice; and the end with all steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from core.charts.next_word import WORD, likeliest
from core.scoring.recipe import Recipe
from core.studies.compare.pair import Comparison
from core.studies.compare.tables import word_table
from core.studies.lesson import Lesson, Step, written
from core.studies.lesson.answering import Answer, answers, beside, of_bundled, overview, tally, verdict
from core.studies.lesson.lesson import measured
from core.studies.next_word.forms import Form, FormComparison, guessed
from core.studies.next_word.next_token import NextTokens
from core.studies.next_word.wording import form_rows, guess, word_bars
from pages.components.lesson.choose import Opened, go_to
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, show_chart, show_downloads
from pages.components.shared.make_lesson import make_lesson
from pages.components.shared.models import unreadable
from pages.components.shared.predict_first import (
    choice_of,
    choose_better,
    choose_form,
    guess_word,
    show_reveal,
    was_revealed,
)
from pages.components.shared.show_strip import show_strip
from pages.components.shared.tables import show_table


def question_of(step: Step) -> object:
    """What tells a step's question from others: the same sentences are the same question on Compare."""
    return step.pair or ((step.prefix, step.forms) if step.forms else step.prefix)


def show_step(lesson: Lesson, number: int, recipe: Recipe) -> None:
    """The step of this number, from 1."""
    step = lesson.steps[number - 1]
    usual = "Which sentence is better?" if step.pair else "What comes next?"
    notices.text(step.question or usual, "pl-headline")
    if step.prefix:
        notices.write('<span class="pl-beginning">$prefix …</span>', prefix=step.prefix)
    if was_revealed(question_of(step)):
        with notices.explained_errors():
            _show_answer(lesson, step, recipe)
        if step.notice:
            notices.write('<div class="pl-pair">$notice</div>', notice=step.notice)
        if step.reference:
            notices.write("On the phenomenon: $reference.", "pl-quiet", reference=step.reference)
    else:
        _ask(step)
    _show_way_on(lesson, number)


def _ask(step: Step) -> None:
    question = question_of(step)
    if step.pair:
        choose_better(step.pair)
    elif step.forms:
        choose_form(question, step.forms)
    else:
        guess_word(question)
    show_reveal(question)


def _show_answer(lesson: Lesson, step: Step, recipe: Recipe) -> None:
    texts = step.pair or [step.prefix]
    if reason := unreadable(texts, recipe):
        notices.instead(reason)
        return
    answer, name = _answer(step, recipe), recipe.model.name
    for said in filter(None, (_own(step, answer, recipe), f"{name}: {answer.said}")):
        notices.text(said, "pl-second")
    _draw(answer, recipe)
    if said := verdict(step, answer, lesson.language, name):
        notices.text(said)


def _own(step: Step, answer: Answer, recipe: Recipe) -> str:
    """The visitor's choice beside the model's; of a guess, how likely it was."""
    choice = choice_of(question_of(step))
    if choice and isinstance(answer.found, NextTokens):
        return guess(_guessed(step.prefix, choice, recipe), answer.found)
    return beside(choice, answer, recipe.model.name)


def _draw(answer: Answer, recipe: Recipe) -> None:
    found = answer.found
    if isinstance(found, Comparison):
        show_strip(word_table(found))
    elif isinstance(found, FormComparison):
        rows = form_rows(found, recipe.policy.unit)[["form", "probability", "whole"]]
        show_table(
            rows, alt="One row per form: its probability as a whole word", width="content",
            column_config={
                "form": "Form",
                "probability": "Probability",
                "whole": st.column_config.NumberColumn(f"Surprisal ({recipe.policy.unit})", format="%.2f"),
            },
        )  # fmt: skip
    elif len(bars := word_bars(found)):
        with st.container(width=480):
            show_chart(likeliest(bars, answer.said, WORD, grows=False), f"likeliest_{found.text}")


def _show_way_on(lesson: Lesson, number: int) -> None:
    """To the steps before and after, and to the page where one can go on with this one."""
    step = lesson.steps[number - 1]
    shown = was_revealed(question_of(step))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Previous", icon=":material/arrow_back:", on_click=go_to, args=(number - 1,), disabled=number == 1)
        st.button(
            "Next step", icon=":material/arrow_forward:", type="primary" if shown else "secondary", on_click=go_to,
            args=(number + 1,),
        )  # fmt: skip
        if shown:
            _offer_page(step, lesson.model)


def _offer_page(step: Step, model: str) -> None:
    if step.pair:
        page, label, icon = "compare", "Open in Compare", "compare_arrows"
        params = {"a": step.pair[0], "b": step.pair[1], "model": model}
    else:
        page, label, icon = "next_word", "Open in Next word", "text_fields"
        params = {"prefix": step.prefix, "forms": ", ".join(step.forms), "reader": model}
    given = {name: value for name, value in params.items() if value}
    st.page_link(f"pages/{page}.py", label=label, icon=f":material/{icon}:", query_params=given)


@resources.remembered("Asking …", 512, {Step: repr})
def _answer(step: Step, recipe: Recipe) -> Answer:
    """A model's answer to a step; PairlensError in words."""
    (found,) = answers([step], recipe, resources.store(), partial(resources.model_cache().scorer, recipe))
    return found


@resources.remembered("Asking …", 256)
def _guessed(prefix: str, word: str, recipe: Recipe) -> Form:
    """A guessed word after a beginning; PairlensError in words."""
    scorer = partial(resources.model_cache().scorer, recipe)
    return guessed(prefix, word, recipe, resources.store(), scorer)


def show_end(opened: Opened, recipe: Recipe) -> None:
    """What was shown so far; steps that were not shown keep their answers."""
    lesson, model = opened.lesson, recipe.model.name
    choices = [choice_of(question_of(step)) for step in lesson.steps]
    answers = _answers(lesson, recipe)
    for place, said in enumerate(tally(lesson, answers, choices, model)):
        notices.text(said, "pl-second" if place else "pl-headline")
    if hidden := len(lesson.steps) - len(answers):
        notices.note(f"{notices.counted(hidden, 'step')} not shown yet: their answers stay hidden here, too.")
    elif opened.name and (others := of_bundled(measured(opened.name), besides=model)):
        notices.write("Other bundled models, in the steps that they can take: $others.", "pl-quiet", others=others)
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


def _answers(lesson: Lesson, recipe: Recipe) -> Mapping[int, Answer]:
    """By place, of the steps that were shown and can be answered."""
    found = {}
    for place, step in enumerate(lesson.steps):
        if was_revealed(question_of(step)):
            with notices.explained_errors():
                found[place] = _answer(step, recipe)
    return found

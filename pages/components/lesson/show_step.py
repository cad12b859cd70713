"""One step: the question; a choice; and, once it is asked for, the model's answer beside it and what to notice."""

from __future__ import annotations

import streamlit as st

from core.charts.next_word import WORD, likeliest
from core.scoring.recipe import Recipe
from core.studies.compare import Comparison
from core.studies.compare.tables import word_table
from core.studies.lesson import Lesson, Step
from core.studies.lesson.answering import Answer, beside, verdict
from core.studies.next_word.forms import FormComparison
from core.studies.next_word.next_token import NextTokens
from core.studies.next_word.wording import form_rows, guess, word_bars
from pages.components.lesson import resources
from pages.components.lesson.choose_step import go_to
from pages.components.shared import notices
from pages.components.shared.predict_first import (
    choice_of,
    choose_better,
    choose_form,
    guess_word,
    show_reveal,
    was_revealed,
)
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_strip import show_strip
from pages.components.shared.show_table import show_table
from pages.components.shared.warn_of_language import unreadable


def question_of(step: Step) -> object:
    """What tells a step's question from others: the same sentences are the same question on Compare."""
    return step.pair or ((step.prefix, step.forms) if step.forms else step.prefix)


def show_step(lesson: Lesson, number: int, recipe: Recipe) -> None:
    """The step of this number, from 1."""
    step = lesson.steps[number - 1]
    notices.write("$question", "pl-headline", question=step.question or _usual(step))
    if step.prefix:
        notices.write('<span class="pl-beginning">$prefix …</span>', prefix=step.prefix)
    if was_revealed(question_of(step)):
        with notices.explained_errors():
            _show_answer(lesson, step, recipe)
        _show_notice(step)
    else:
        _ask(step)
    _show_way_on(lesson, number)


def _usual(step: Step) -> str:
    return "Which sentence is better?" if step.pair else "What comes next?"


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
    answer, name = resources.answer(step, recipe), recipe.model.name
    for said in filter(None, (_own(step, answer, recipe), f"{name}: {answer.said}")):
        notices.write("$said", "pl-second", said=said)
    _draw(answer, recipe)
    if said := verdict(step, answer, lesson.language, name):
        notices.write("$said", said=said)


def _own(step: Step, answer: Answer, recipe: Recipe) -> str:
    """The visitor's choice beside the model's; of a guess, how likely it was."""
    choice = choice_of(question_of(step))
    if choice and isinstance(answer.found, NextTokens):
        return guess(resources.form(step.prefix, choice, recipe), answer.found)
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


def _show_notice(step: Step) -> None:
    if step.notice:
        notices.write('<div class="pl-pair">$notice</div>', notice=step.notice)
    if step.reference:
        notices.write("On the phenomenon: $reference.", "pl-quiet", reference=step.reference)


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

"""The end of a lesson: who agreed with whom, and all steps in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from core.scoring.recipe import Recipe
from core.studies.lesson import Lesson, written
from core.studies.lesson.answering import Answer, of_bundled, overview, tally
from core.studies.lesson.lesson import measured
from pages.components.lesson import resources
from pages.components.lesson.choose_lesson import Opened
from pages.components.lesson.show_step import question_of
from pages.components.shared import notices
from pages.components.shared.file import File
from pages.components.shared.make_lesson import make_lesson
from pages.components.shared.predict_first import choice_of, was_revealed
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_table import show_table


def show_end(opened: Opened, recipe: Recipe) -> None:
    """What was shown so far; steps that were not shown keep their answers."""
    lesson, model = opened.lesson, recipe.model.name
    choices = [choice_of(question_of(step)) for step in lesson.steps]
    answers = _answers(lesson, recipe)
    for place, said in enumerate(tally(lesson, answers, choices, model)):
        notices.write("$said", "pl-second" if place else "pl-headline", said=said)
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
                found[place] = resources.answer(step, recipe)
    return found

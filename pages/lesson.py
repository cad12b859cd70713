"""Lesson: predict, then look at the model's answer, step by step."""

from __future__ import annotations

import streamlit as st

from core.policies import Policy
from core.scorers import SCORERS, default_for
from core.scoring.recipe import Recipe
from pages.components.lesson.show import (
    FILE,
    LESSON,
    MODEL,
    STEP,
    choose_answering,
    choose_lesson,
    choose_step,
    show_about,
    show_end,
    show_step,
)
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import ANYWHERE, show_share
from pages.components.shared.models import NO_MODEL

HERE = "on this machine, which keeps the lesson"

open_page("Lesson", "What do you expect, what does the model say, and why?")
with st.container(horizontal=True, vertical_alignment="bottom"):
    opened = choose_lesson()
    model = choose_answering(opened.lesson) if opened else None
    st.space("stretch")
    show_share((LESSON, STEP, MODEL, FILE), HERE if FILE in st.query_params else ANYWHERE)
if opened:
    number = choose_step(len(opened.lesson.steps))
    if model is None:
        notices.note(NO_MODEL)
    else:
        recipe = Recipe(model, SCORERS[default_for(model.kind)], Policy())
        if number == 1:
            show_about(opened.lesson)
        if number > len(opened.lesson.steps):
            show_end(opened, recipe)
        else:
            show_step(opened.lesson, number, recipe)

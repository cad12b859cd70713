"""Lesson: predict, then look at the model's answer, step by step."""

import streamlit as st

from pages.components.lesson import show
from pages.components.lesson.take import offer_class, offer_page
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import ANYWHERE, show_share
from pages.components.shared.models import NO_MODEL
from pairlens.policies import Policy
from pairlens.scorers import SCORERS, default_for
from pairlens.scoring.recipe import Recipe

HERE = "on this machine, which keeps the lesson"

open_page("Lesson", "What do you expect, what does the model say, and why?")
with st.container(horizontal=True, vertical_alignment="bottom"):
    opened = show.choose_lesson()
    model = show.choose_answering(opened.lesson) if opened else None
    st.space("stretch")
    show_share((show.LESSON, show.STEP, show.MODEL, show.FILE), HERE if show.FILE in st.query_params else ANYWHERE)
if opened:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = show.choose_step(len(opened.lesson.steps))
        if model:
            st.space("stretch")
            offer_class(opened, model.name)
            offer_page(opened.lesson, model.name)
    if model is None:
        notices.note(NO_MODEL)
    else:
        recipe = Recipe(model, SCORERS[default_for(model.kind)], Policy())
        if number == 1:
            show.show_about(opened.lesson)
        if number > len(opened.lesson.steps):
            show.show_end(opened, recipe)
        else:
            show.show_step(opened.lesson, number, recipe)

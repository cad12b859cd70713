"""What the page Lesson keeps between reruns: lessons that were read, and the models' answers to their steps."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from core.scoring.recipe import Recipe
from core.studies import lesson as lessons
from core.studies.lesson import Lesson, Step
from core.studies.lesson.answering import Answer, answers
from core.studies.next_word.forms import Form, guessed
from pages.components.shared import resources


def read(path: Path) -> Lesson:
    """A lesson from a visitor's file; InputError in words."""
    return resources.read_file(path, lessons.read, path)


@st.cache_resource(max_entries=512, show_spinner="Asking …", hash_funcs={Step: repr, **resources.BY_IDENTITY})
def answer(step: Step, recipe: Recipe) -> Answer:
    """A model's answer to a step; PairlensError in words."""
    (found,) = answers([step], recipe, resources.store(), partial(resources.model_cache().scorer, recipe))
    return found


@st.cache_resource(max_entries=256, show_spinner="Asking …", hash_funcs=resources.BY_IDENTITY)
def form(prefix: str, word: str, recipe: Recipe) -> Form:
    """A guessed word after a beginning; PairlensError in words."""
    scorer = partial(resources.model_cache().scorer, recipe)
    return guessed(prefix, word, recipe, resources.store(), scorer)

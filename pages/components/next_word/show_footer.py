"""The footer of Next word: how its numbers were made, and the beginning as a step of a lesson."""

from __future__ import annotations

import streamlit as st

from core.runs.receipts.bibtex import bibtex
from core.scoring.recipe import Recipe
from core.studies.lesson import Step
from core.studies.next_word.forms import FormComparison
from core.studies.next_word.wording import keys, methods, receipt
from pages.components.shared.make_lesson import asked_of, make_lesson
from pages.components.shared.show_receipt import Made, show_receipt


def show_footer(typed: str, prefix: str, choice: FormComparison | None, recipe: Recipe) -> None:
    """`prefix` is what was typed, as the model reads it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_receipt(
            lambda: Made(receipt(typed, prefix, choice, recipe), methods(recipe), bibtex(keys(recipe), recipe.model)),
            "next-word",
        )
        if typed.strip():
            forms = tuple(form.text for form in choice.forms) if choice else ()
            make_lesson("Add this beginning", [Step(prefix=typed.strip(), forms=forms)], asked_of(recipe.model))

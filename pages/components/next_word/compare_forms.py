"""The box of forms to compare after a prefix: which one the model takes, as a whole word and as a mere beginning."""

from __future__ import annotations

import streamlit as st

from core.scoring.recipe import Recipe
from core.studies.next_word import HOW, wording
from core.studies.next_word.forms import FormComparison, read_forms
from core.studies.next_word.wording import form_rows
from pages.components.next_word import resources
from pages.components.shared import notices
from pages.components.shared.predict_first import choice_of
from pages.components.shared.show_table import show_table


def type_forms(first: str, key: str) -> tuple[str, ...]:
    """The forms in the box, which begins with an example and is in the link as `key`.

    None, and the reason is said, where they cannot be compared.
    """
    typed = st.text_input(
        "Forms to compare", first, key=key, bind="query-params", placeholder="is, are", width=420,
        help=f"Two or more words that could come next, with commas between them. {HOW}",
    )  # fmt: skip
    if not typed.strip():
        notices.write("Type two forms that compete here, for example: is, are.", "pl-quiet")
        return ()
    with notices.explained_errors():
        return tuple(read_forms(typed))
    return ()


def compare_forms(prefix: str, forms: tuple[str, ...], recipe: Recipe) -> FormComparison | None:
    """The decision between these forms, beside the visitor's own; None if there are none."""
    if not forms:
        return None
    with notices.explained_errors():
        choice = resources.choice(prefix, forms, recipe)
        if own := choice_of((prefix, forms)):
            notices.write("You chose $own.", "pl-second", own=own)
        _show(choice, recipe.policy.unit)
        return choice
    return None


def _show(choice: FormComparison, unit: str) -> None:
    notices.write("$text", "pl-second", text=wording.decision(choice, unit))
    for text in filter(None, (wording.form_only(choice), wording.doubts(choice))):
        notices.write("$text", text=text)
    show_table(
        form_rows(choice, unit), alt="One row per form: its probability, its surprisals, its tokens",
        column_config={
            "form": "Form",
            "probability": "Probability",
            "whole": st.column_config.NumberColumn(f"Surprisal as a whole word ({unit})", format="%.2f"),
            "only": st.column_config.NumberColumn(f"Form only ({unit})", format="%.2f"),
            "n_pieces": "Tokens",
            "pieces": "Cut as",
        },
    )  # fmt: skip
    notices.write(
        "As a whole word: the tokens and the end of the word (a space, a mark or the end of the text), after a word "
        "that has ended if all forms follow a space. Form only: the tokens, whatever follows.", "pl-quiet",
    )  # fmt: skip

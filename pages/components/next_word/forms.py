"""Forms to compare after a prefix, the published table of its positions, and how these numbers were made."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.files.exports import written
from core.runs.receipts.bibtex import bibtex
from core.scoring.recipe import Recipe
from core.settings import program
from core.studies.lesson import Step
from core.studies.next_word import HOW, wording
from core.studies.next_word.forms import FormComparison, compare_forms, read_forms
from core.studies.next_word.prefix import predictor
from core.studies.next_word.table import BY
from core.studies.next_word.table import next_word_table as published
from core.studies.next_word.wording import form_rows, keys, methods, receipt
from pages.components.shared import notices, resources
from pages.components.shared.downloads import File, Part, show_menu
from pages.components.shared.make_lesson import asked_of, make_lesson
from pages.components.shared.predict_first import choice_of
from pages.components.shared.receipt import Made, show_receipt
from pages.components.shared.tables import show_table

MOST_WORDS = 100
"""By word each row asks for the likeliest whole word: longer prefixes are for the command line."""


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


def show_forms(prefix: str, forms: tuple[str, ...], recipe: Recipe) -> FormComparison | None:
    """The decision between these forms, beside the visitor's own; None if there are none."""
    if not forms:
        return None
    with notices.explained_errors():
        choice = _comparison(prefix, forms, recipe)
        if own := choice_of((prefix, forms)):
            notices.write("You chose $own.", "pl-second", own=own)
        _show(choice, recipe.policy.unit)
        return choice
    return None


def _show(choice: FormComparison, unit: str) -> None:
    notices.text(wording.decision(choice, unit), "pl-second")
    for text in filter(None, (wording.form_only(choice), wording.doubts(choice))):
        notices.text(text)
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


def show_published_table(prefix: str, recipe: Recipe, charts: Sequence[Part]) -> None:
    """The table, and the downloads of all that the page shows."""
    by = st.segmented_control(
        "Published table",
        BY,
        default=BY[0],
        required=True,
        key="next_by",
        bind="query-params",
        format_func={"piece": "by token", "word": "by word"}.__getitem__,
    )
    if by == "word" and len(prefix.split()) > MOST_WORDS:
        notices.note(
            f"By word the table is made for up to {MOST_WORDS} words here, for any text by the command line: "
            f"{program()} next-word --by word."
        )
        return
    with notices.explained_errors():
        table = _table(prefix, recipe, str(by))
        show_table(table, alt="One row per position: token, next token, likeliest next token")
        notices.write(
            "ref_prob and pred_prob are natural logarithms despite their names, which are the published ones. The "
            "last row says what comes after the text.", "pl-quiet",
        )  # fmt: skip
        name = f"next-word-by-{by}"
        tsv = File("TSV", partial(written, table, ".tsv"), f"{name}.tsv")
        show_menu(name, [Part(name, lambda: table), *charts], [tsv])


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


@resources.remembered("Comparing …", 256)
def _comparison(prefix: str, typed: tuple[str, ...], recipe: Recipe) -> FormComparison:
    """Forms after a prefix (as typed); PairlensError in words."""
    return compare_forms(
        [(prefix, typed)], recipe, resources.store(), partial(resources.model_cache().scorer, recipe)
    )[0]


@resources.remembered("Asking …", 64)
def _table(prefix: str, recipe: Recipe, by: str) -> pd.DataFrame:
    """The published table of a prefix (as typed), without the number of the text; PairlensError in words."""
    opened = predictor(recipe, partial(resources.model_cache().scorer, recipe))
    return published([prefix], recipe, opened, by=by, prefixes=True).drop(columns="sentence")

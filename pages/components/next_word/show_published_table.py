"""The published table of a prefix: a row per position, by piece or by word, to read and to take away."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.files.exports import written
from core.scoring.recipe import Recipe
from core.settings import program
from core.studies.next_word.table import BY
from pages.components.next_word import resources
from pages.components.shared import notices
from pages.components.shared.downloads import File, Part, show_menu
from pages.components.shared.tables import show_table

MOST_WORDS = 100
"""By word each row asks for the likeliest whole word: longer prefixes are for the command line."""


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
        table = resources.next_word_table(prefix, recipe, str(by))
        show_table(table, alt="One row per position: token, next token, likeliest next token")
        notices.write(
            "ref_prob and pred_prob are natural logarithms despite their names, which are the published ones. The "
            "last row says what comes after the text.", "pl-quiet",
        )  # fmt: skip
        name = f"next-word-by-{by}"
        tsv = File("TSV", partial(written, table, ".tsv"), f"{name}.tsv")
        show_menu(name, [Part(name, lambda: table), *charts], [tsv])

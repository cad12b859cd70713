"""The published table of a prefix: a row per position, by piece or by word, to read and to take away."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.files.exports import SPREADSHEET, written
from core.scoring.recipe import Recipe
from core.settings import program
from core.studies.next_word.table import BY
from pages.components.next_word import resources
from pages.components.shared import notices
from pages.components.shared.show_table import show_table

MOST_WORDS = 100
"""By word each row asks for the likeliest whole word: longer prefixes are for the command line."""
_FORMATS = {
    ".tsv": ("TSV", "text/tab-separated-values"), ".csv": ("CSV", "text/csv"), ".xlsx": ("Excel", SPREADSHEET),
}  # fmt: skip


def show_published_table(prefix: str, recipe: Recipe) -> None:
    """The table and its downloads."""
    by = st.segmented_control(
        "Published table", BY, default=BY[0], required=True, key="next_by", format_func="by {}".format
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
        _downloads(table, f"next-word-by-{by}")


def _downloads(table: pd.DataFrame, name: str) -> None:
    with st.container(horizontal=True, gap="small"):
        for ending, (label, mime) in _FORMATS.items():
            st.download_button(
                label, partial(written, table, ending), f"{name}{ending}", mime,
                key=f"get_{name}{ending}", on_click="ignore", icon=":material/download:",
            )  # fmt: skip

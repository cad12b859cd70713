"""Items made from a template: chosen, changed, and previewed before they are used."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.errors import PairlensError
from core.files.exports import written
from core.store import uploads
from core.studies.generator import Template, templates
from pages.components.shared import notices, resources
from pages.components.shared.experiment import Source
from pages.components.shared.forget import forget
from pages.components.shared.in_link import keep_in_link
from pages.components.shared.show_table import show_table

_MOST = 1_000
_PREVIEW = 12
_HELP = (
    "Slots in braces take words of the lexicon: {noun:sg}, and {verb:sg|verb:pl} for an expected and an unexpected "
    "form. [comma: with=,|without=] makes a condition with its values. Asterisks mark the region."
)


def make_items() -> Source | None:
    """The items of a template as a table; None, and why, if the template cannot be read."""
    known = {template.title or name: template for name, template in templates().items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            "Template", list(known), key="template_of", bind="query-params", width=420, on_change=forget
        )
        number = st.number_input("Items", 1, _MOST, 24, key="n", bind="query-params", width=130)
        seed = st.number_input("Seed", 0, 9_999, 1, key="seed", bind="query-params", width=130)
    chosen = known[str(title)]
    notices.write("$about", "pl-quiet", about=chosen.about)
    with st.container(key="template_text"):
        text = st.text_area(
            "Template", st.query_params.get("items", chosen.text), key=f"template_{chosen.name}", height="content",
            help=_HELP, label_visibility="collapsed",
        )  # fmt: skip
    keep_in_link("items", text, unless=text.strip() == chosen.text)
    try:
        table = resources.generated(Template(text.strip(), chosen.language), int(number), int(seed))
    except PairlensError as wrong:
        notices.error(wrong)
        return None
    _preview(table)
    return Source(uploads.keep([("items.tsv", written(table, ".tsv"))]), ours=True, language=chosen.language)


def _preview(table: pd.DataFrame) -> None:
    with st.expander("The first items"):
        show_table(table.head(_PREVIEW), alt="The first sentences made from the template")

"""How the conditions of a design are shown: which get charts of their own, and which two meet in an interaction."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.studies.experiment.design import Design
from core.studies.experiment.drawing import factor_pairs
from pages.components.shared.in_link import keep_in_link

LINK = ("facets", "factors")
_NONE = "none"
_MOST_LINES = 4


def choose_facets(design: Design, source: str) -> list[str]:
    """The conditions whose values get a chart each; by default as many as leave few lines in one chart."""
    conditions = list(design.columns.conditions)
    if not conditions:
        return []
    linked = [name for name in st.query_params.get_all("facets") if name in conditions]
    chosen = st.multiselect(
        "A chart for each", conditions, default=linked or _usual(design, conditions), key=f"facets_{source}",
        width=170, placeholder="all in one", help="The other conditions are lines in one chart.",
    )  # fmt: skip
    st.query_params["facets"] = chosen
    return chosen


def _usual(design: Design, conditions: Sequence[str]) -> list[str]:
    """Conditions from the first on, until the others make few lines."""
    facets: list[str] = []
    for name in conditions:
        lines = design.sentences[[one for one in conditions if one not in facets]].drop_duplicates()
        if len(lines) <= _MOST_LINES:
            break
        facets.append(name)
    return facets


def choose_factors(design: Design, source: str) -> tuple[str, str] | None:
    """The two factors of an interaction; None where the design has no two conditions of two values."""
    pairs = {" × ".join(pair): pair for pair in factor_pairs(design)}
    if not pairs:
        return None
    options = [*pairs, _NONE]
    linked = st.query_params.get("factors", "")
    chosen = st.selectbox(
        "Interaction of", options, index=options.index(linked) if linked in options else 0, key=f"factors_{source}",
        width=190,
    )  # fmt: skip
    keep_in_link("factors", chosen, unless=chosen == options[0])
    return pairs.get(str(chosen))

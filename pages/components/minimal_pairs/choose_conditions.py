"""How the conditions of a design are shown: which get charts of their own, and which meet in an interaction."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.studies.experiment.crossing import factor_sets
from core.studies.experiment.design import Design
from pages.components.shared.link import keep_in_link

LINK = ("facets", "factors")
_NONE = "none"
_MOST_LINES = 4


def choose_facets(design: Design, source: str) -> list[str]:
    """The conditions whose values get a chart each; by default as many as leave few lines in one chart."""
    conditions = list(design.columns.conditions)
    if not conditions:
        return []
    linked, usual = st.query_params.get_all("facets"), _usual(design, conditions)
    first = [name for name in linked if name in conditions] if linked else usual
    chosen = st.multiselect(
        "A chart for each", conditions, default=first, key=f"facets_{source}",
        width=150, placeholder="all in one", help="The other conditions are lines in one chart.",
    )  # fmt: skip
    keep_in_link("facets", chosen or [_NONE], unless=chosen == usual)
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


def choose_factors(design: Design, source: str) -> tuple[str, ...]:
    """The factors of an interaction; empty where the design has no two factors of two values, or none is wanted."""
    sets = {" × ".join(factors): factors for factors in factor_sets(design)}
    if not sets:
        return ()
    options = [*sets, _NONE]
    linked = st.query_params.get("factors", "")
    chosen = st.selectbox(
        "Interaction of", options, index=options.index(linked) if linked in options else 0, key=f"factors_{source}",
        width=210,
    )  # fmt: skip
    keep_in_link("factors", chosen, unless=chosen == options[0])
    return sets.get(str(chosen), ())

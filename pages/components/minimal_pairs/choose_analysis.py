"""How tokens become words, words a region, and a region a number: none of it scores anything again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from core.analysis.experiment import NLPSCHOLAR, Analysis
from core.policies import CHOICES
from pages.components.shared.link import keep_in_link

PARAMETER = "analysis"
"""The query parameter that holds what differs from the usual choices, as `field:value,...`."""
_USUAL = Analysis()
_FIELDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "measure": ("3 · Measure", {"surp": "surprisal (bits)", "prob": "probability", "perplexity": "perplexity"}),
    "region_summary": ("Value of a region", {"mean": "mean of its words", "sum": "sum of its words"}),
    "word_summary": ("A word's surprisal", {"sum": "sum of its tokens", "mean": "mean of its tokens"}),
    "word_probability": (
        "Probabilities",
        {"product": "of the whole word and region", "mean": "mean of tokens and words (NLPScholar)"},
    ),
    "punctuation": ("Punctuation", CHOICES["punctuation"]),
    "fold": ("Where marks go", {"whole": "none is lost", "nlpscholar": "as in NLPScholar, some are lost"}),
    "ties": ("Ties", CHOICES["ties"]),
}
"""By field of the analysis: its label and choices."""
_FRONT, _FINER = tuple(_FIELDS)[:2], tuple(_FIELDS)[2:]


def choose_analysis() -> Analysis:
    """What is measured in front, the finer choices in a popover, side by side in a row of the page."""
    linked = dict(part.partition(":")[::2] for part in st.query_params.get(PARAMETER, "").split(","))
    front = _select(_FRONT, linked, width=160)
    spill = _spill(linked.get("spill", ""))
    with st.popover("Words", icon=":material/tune:"), st.container(width=420):
        with st.container(horizontal=True):
            st.button("As Pairlens does it", on_click=_take, args=(_USUAL,), type="tertiary")
            st.button("As NLPScholar does it", on_click=_take, args=(NLPSCHOLAR,), type="tertiary")
        finer = _select(_FINER, linked)
    chosen = {**front, "spill": spill, **finer}
    changes = [f"{field}:{value}" for field, value in chosen.items() if value != getattr(_USUAL, field)]
    keep_in_link(PARAMETER, ",".join(changes), unless=not changes)
    return Analysis(spill=spill, **front, **finer)


def _select(
    fields: Sequence[str], linked: Mapping[str, str], width: int | Literal["stretch"] = "stretch"
) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for field in fields:
        label, choices = _FIELDS[field]
        options = list(choices)
        first = linked[field] if linked.get(field) in choices else getattr(_USUAL, field)
        chosen[field] = st.selectbox(
            label, options, index=options.index(first), key=_key(field), format_func=choices.__getitem__, width=width
        )
    return chosen


def _spill(linked: str) -> int:
    first = min(int(linked), 9) if linked.isdecimal() else _USUAL.spill
    return st.number_input(
        "Regions after it", 0, 9, first, key=_key("spill"), width=122,
        help="Spill-over: so many words, or regions between bars, after the region are looked at too.",
    )  # fmt: skip


def _key(field: str) -> str:
    return f"{PARAMETER}_{field}"


def _take(preset: Analysis) -> None:
    """Callback: set the choices of the popover as a program has them."""
    for field in _FINER:
        st.session_state[_key(field)] = getattr(preset, field)

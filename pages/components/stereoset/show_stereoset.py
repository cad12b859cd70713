"""Answers to StereoSet: in words, three dot rows, by bias type and term, under every definition, triple by triple."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.studies.stereoset.findings import IN_WORDS
from core.types import Model
from pages.components.shared import notices
from pages.components.shared.downloads import gathered_downloads
from pages.components.shared.tables import choose_detail, show_tabs
from pages.components.stereoset.results import StereoSetResult, kinds
from pages.components.stereoset.show_checks import show_checks
from pages.components.stereoset.show_definitions import show_definition_table, show_definitions
from pages.components.stereoset.show_footer import show_footer
from pages.components.stereoset.show_headlines import show_headlines
from pages.components.stereoset.show_published import show_published
from pages.components.stereoset.show_terms import show_bias_types, show_funnel, show_term_table
from pages.components.stereoset.show_triples import show_triples


def show_stereoset(shown: Sequence[StereoSetResult], models: Sequence[Model] = ()) -> None:
    """Everything about models that were asked about the same examples; at least one. `models` are those that were."""
    common = kinds(shown)
    if not common:
        notices.error("These models have no task in common: look at one of them at a time.")
        return
    kind = _choose_kind(common)
    with gathered_downloads() as headline:
        show_headlines(shown, kind, models)
    one = choose_detail({one.name: one for one in shown}, "details_of_stereoset")
    with gathered_downloads() as parts:
        left, right = st.columns(2, gap="large")
        with left:
            show_bias_types(shown, kind)
            show_funnel(one, kind)
        with right:
            show_definitions(one, kind)
        show_tabs(
            {
                "Triples": lambda: show_triples(one, kind),
                "Terms": lambda: show_term_table(one, kind),
                "Definitions": lambda: show_definition_table(one, kind),
                "Beside published figures": lambda: show_published(shown, kind),
                "Left out and checks": lambda: show_checks(one),
            }
        )
    show_footer(shown, [*headline, *parts])


def _choose_kind(common: Sequence[str]) -> str:
    if len(common) == 1:
        return common[0]
    chosen = st.segmented_control(
        "Examples", common, default=common[0], required=True, key="examples_of", bind="query-params",
        format_func=IN_WORDS.__getitem__,
    )  # fmt: skip
    return str(chosen)

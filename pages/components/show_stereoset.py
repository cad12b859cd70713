"""Answers to StereoSet: in words, three dot rows, by bias type and term, under every definition, triple by triple."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.stereoset.findings import IN_WORDS
from pages.components import notices
from pages.components.show_stereoset_checks import show_stereoset_checks
from pages.components.show_stereoset_definitions import show_definition_table, show_stereoset_definitions
from pages.components.show_stereoset_footer import show_stereoset_footer
from pages.components.show_stereoset_headlines import show_stereoset_headlines
from pages.components.show_stereoset_published import show_stereoset_published
from pages.components.show_stereoset_terms import show_bias_types, show_funnel, show_term_table
from pages.components.show_stereoset_triples import show_stereoset_triples
from pages.components.stereotyped import Stereotyped, kinds

_TABS = ("Triples", "Terms", "Definitions", "Beside published figures", "Left out and checks")


def show_stereoset(shown: Sequence[Stereotyped]) -> None:
    """Everything about models that were asked about the same examples; at least one."""
    common = kinds(shown)
    if not common:
        notices.error("These models have no task in common: look at one of them at a time.")
        return
    kind = _choose_kind(common)
    show_stereoset_headlines(shown, kind)
    one = _choose(shown)
    left, right = st.columns(2, gap="large")
    with left:
        show_bias_types(shown, kind)
        clicked = show_funnel(one, kind)
    with right:
        show_stereoset_definitions(one, kind)
    shows = (
        lambda: show_stereoset_triples(one, kind, clicked),
        lambda: show_term_table(one, kind),
        lambda: show_definition_table(one, kind),
        lambda: show_stereoset_published(shown, kind),
        lambda: show_stereoset_checks(one),
    )
    for tab, show in zip(st.tabs(_TABS, key="detail", on_change="rerun"), shows, strict=True):
        with tab:
            if tab.open:
                with notices.in_words():
                    show()
    show_stereoset_footer(shown)


def _choose_kind(common: Sequence[str]) -> str:
    if len(common) == 1:
        return common[0]
    chosen = st.segmented_control(
        "Examples", common, default=common[0], required=True, key="examples_of", bind="query-params",
        format_func=IN_WORDS.__getitem__,
    )  # fmt: skip
    return str(chosen)


def _choose(shown: Sequence[Stereotyped]) -> Stereotyped:
    if len(shown) == 1:
        return shown[0]
    by_name = {one.name: one for one in shown}
    return by_name[st.selectbox("Details of", list(by_name), key="details_of", width=360)]

"""Results: what has been measured on this machine, how runs differ, what SQL says, what takes room."""

from collections.abc import Callable, Mapping

import streamlit as st

from pages.components.results.bring_scores import show_bring_scores
from pages.components.results.comparison import choose_runs, show_run_comparison
from pages.components.results.run_list import show_plans, show_run_list
from pages.components.results.sql import show_sql
from pages.components.results.stored_run import show_stored_run
from pages.components.results.upkeep import show_maintenance
from pages.components.shared import notices
from pages.components.shared.frame import open_page
from pages.components.shared.link import show_share
from pages.components.shared.rights import rights
from pairlens.errors import unknown
from pairlens.sharing import why_not

TITLES = {"runs": "Runs", "bring": "Bring scores", "compare": "Differences", "sql": "SQL", "upkeep": "Housekeeping"}
LINK = (
    "view", "words", "brought", "run", "runs", "reference", "metric", "by", "compared", "question", "query",
    "parameters",
)  # fmt: skip


def show_runs() -> None:
    """Plans under way, all runs and, below them, the one that the link or a click opens."""
    show_plans()
    show_run_list()
    if opened := st.query_params.get("run", ""):
        show_stored_run(opened)


def show_comparison() -> None:
    if len(run_ids := choose_runs()) > 1:
        show_run_comparison(run_ids)


VIEWS: Mapping[str, Callable[[], None]] = {
    "runs": show_runs,
    "bring": show_bring_scores,
    "compare": show_comparison,
    "sql": show_sql,
    "upkeep": show_maintenance,
}


def choose_view() -> str:
    view_name, closed = st.query_params.get("view", "runs"), not rights().may("housekeeping")
    views = [view for view in VIEWS if view != "upkeep" or not closed]
    if view_name not in views:
        notices.error(why_not("housekeeping") if view_name in VIEWS else unknown("view", view_name, views))
        view_name = "runs"
    st.session_state["view_shown"] = view_name
    chosen = st.segmented_control(
        "View", views, required=True, key="view_shown", format_func=TITLES.__getitem__, on_change=take_view,
        label_visibility="collapsed", wrap=True,
    )  # fmt: skip
    return str(chosen)


def take_view() -> None:
    st.query_params["view"] = st.session_state["view_shown"]


open_page("Results", "What has been measured, what differs, and where does each number come from?")
with st.container(horizontal=True, vertical_alignment="center"):
    view = choose_view()
    st.space("stretch")
    place = st.container(width="content")
with notices.explained_errors():
    VIEWS[view]()
with place:
    show_share(LINK, "on this machine, which keeps the runs")

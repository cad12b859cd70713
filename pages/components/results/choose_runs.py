"""Which runs' differences are shown: chosen here or in the list, and named by the link."""

from __future__ import annotations

import streamlit as st

from core.reports.run_comparison.chosen import newest_of_one_task
from pages.components.shared import notices, resources

PARAMETER = "runs"
_KEY = "runs_chosen"


def chosen_runs() -> list[str]:
    """The runs that the link names, each once."""
    return list(dict.fromkeys(one for one in st.query_params.get(PARAMETER, "").split(",") if one))


def compare_runs(run_ids: list[str]) -> None:
    """Make the link name these runs and the view that compares them."""
    st.query_params.from_dict({"view": "compare", PARAMETER: ",".join(run_ids)})


def choose_runs() -> list[str]:
    """A choice among the finished runs, at first the two newest of one task; says what to do where there are none."""
    runs = resources.store().runs()
    runs = runs[runs["state"] == "done"].set_index("run_id")
    if len(runs) < 2:
        notices.note("Two finished runs are needed, for example one benchmark run with two models.")
        st.page_link("pages/zero_shot.py", label="Open Benchmarks", icon=":material/leaderboard:")
        return []
    known = [one for one in chosen_runs() if one in runs.index]
    if PARAMETER not in st.query_params:
        known = newest_of_one_task(runs)
    for missing in [one for one in chosen_runs() if one not in runs.index]:
        notices.warning(f"There is no finished run '{missing}' on this machine: it was deleted, or made elsewhere.")
    st.session_state[_KEY] = known
    named = zip(runs.index, runs["title"], runs["model"], strict=True)
    titles = {run_id: f"{title} · {model} · {run_id}" for run_id, title, model in named}
    st.multiselect(
        "Runs", list(runs.index), key=_KEY, on_change=_take, placeholder="Choose two or more",
        format_func=titles.__getitem__,
    )  # fmt: skip
    if len(known) < 2:
        notices.note("Choose two or more runs here, or tick them in the list of runs.")
    return known


def _take() -> None:
    st.query_params[PARAMETER] = ",".join(st.session_state[_KEY])

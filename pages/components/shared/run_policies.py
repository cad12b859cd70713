"""A run's number under every policy: what holds, what is fragile, which policy gives a published number."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.jobs import show_command, watch_jobs
from pages.components.shared.show_result import Views, show_evidence, show_findings
from pages.components.shared.tables import show_table
from pairlens.errors import InputError, ModelError
from pairlens.evaluation.estimate import duration_in_words
from pairlens.reports.multiverse import Layout, lay_out, wording
from pairlens.reports.multiverse.adding_up import Scores
from pairlens.reports.multiverse.matching import match
from pairlens.reports.multiverse.matching import printable as printable_numbers
from pairlens.reports.multiverse.result import result
from pairlens.reports.multiverse.scoring import seconds as seconds_of_missing
from pairlens.results.result import Result
from pairlens.store import jobs

_MATCHES = 12
_MATCH_COLUMNS = {
    "matches": "Gives it", "near": "Near", "value": st.column_config.NumberColumn("Value", format="%.6g"),
    "unit": "Unit", "of": "What", "label": "Policy", "presets": "Preset", "ties_count": "A tie counts",
}  # fmt: skip


def show_run_policies(run_id: str, metric: str = "") -> None:
    """All of it; nothing is scored unless a button is pressed. `metric` is the headline's if none is named."""
    with notices.explained_errors():
        layout = layout_of(run_id, metric)
        whole = under_all_policies(layout)
        show_findings(whole)
        show_evidence(whole, Views(below_charts=lambda: _offer(layout)), key="policies")
        tried = show_number_match(layout.run_id, lambda: printable(layout))
        if tried and (n := len(layout.missing)):
            counted_policies = "1 policy is" if n == 1 else f"{n} policies are"
            notices.write("$said not scored yet: not tried.", "pl-quiet", said=counted_policies)


def _offer(layout: Layout) -> None:
    if not layout.missing:
        return
    arguments = ["policies", layout.run_id, "--score-missing"]
    latest = jobs.latest(arguments)
    watch_jobs("policies")
    if latest and not latest.ended:
        return
    if latest and latest.state in ("failed", "lost"):
        notices.error(latest.error)
    try:
        time = duration_in_words(seconds(layout))
    except ModelError:
        return
    notices.text(wording.missing(layout, time))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Score them: about {time}", icon=":material/play_arrow:", key=f"score_{layout.run_id}"):
            title = f"{layout.task.title} · {layout.manifest['data']} · all policies · {layout.manifest['model']}"
            jobs.start(arguments, title)
            st.rerun()
        show_command([arguments], key=f"cli_{layout.run_id}")


_BY_LAYOUT: dict[str | type, Callable[[Any], object]] = {
    Layout: lambda one: (one.run_id, one.metric, repr(one.policy), tuple(sorted(one.runs.values())))
}


def layout_of(run_id: str, metric: str) -> Layout:
    """The policies of a run's number, and which are stored; PairlensError in words."""
    runs = resources.store().runs()
    finished = runs[runs["state"] == "done"]
    return _layout_of(run_id, metric, tuple(zip(finished["run_id"], finished["finished"], strict=True)))


@resources.remembered("Looking for scores …")
def _layout_of(run_id: str, metric: str, finished: tuple[tuple[str, str], ...]) -> Layout:  # noqa: ARG001
    return lay_out(resources.store(), run_id, metric)


@resources.remembered(by=_BY_LAYOUT)
def under_all_policies(layout: Layout) -> Result:
    return result(layout, resources.store())


@resources.remembered(by=_BY_LAYOUT)
def printable(layout: Layout) -> pd.DataFrame:
    """Every number of the run that could have been printed (`pairlens.reports.multiverse.matching.printable`)."""
    return printable_numbers(layout, Scores(layout, resources.store()))


@st.cache_resource(max_entries=12, ttl=60, show_spinner="Counting texts …", hash_funcs=_BY_LAYOUT)
def seconds(layout: Layout) -> float:
    """About how long scoring all that is missing will take; ModelError in words if the model is not here any more."""
    return seconds_of_missing(layout, resources.store())


def show_number_match(key: str, printable: Callable[[], pd.DataFrame]) -> bool:
    """The box and the answer over a table of printable numbers; whether one was asked for."""
    number = st.text_input(
        "Match a number", placeholder="74.3", width=240, key=f"match_{key}",
        help="A number published for this model and data (74.3, 0.743, 74,3 %): all scored policies, units, averages "
        "and tie rules are searched for it.",
    )  # fmt: skip
    if not number:
        return False
    try:
        matches = match(printable(), number)
    except InputError as wrong:
        notices.error(wrong)
        return False
    notices.text(wording.matched(matches))
    nearest = matches.table[[*_MATCH_COLUMNS]].head(_MATCHES)
    show_table(nearest, column_config=_MATCH_COLUMNS, alt="The nearest ways to print a number")
    return True

"""Stored runs beside each other: who is ahead, where, over training, and what differs in how they were made."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.results.stored_run import OWN_PAGES
from pages.components.shared import notices, resources
from pages.components.shared.show_result import show_evidence, show_findings
from pairlens.errors import StoreError
from pairlens.evaluation.result import short_names
from pairlens.metrics import METRICS
from pairlens.reports.run_comparison.comparison import RunComparison
from pairlens.reports.run_comparison.comparison import compare_runs as comparison_of
from pairlens.reports.run_comparison.numbers import groups_of
from pairlens.reports.run_comparison.result import result as result_of
from pairlens.reports.run_comparison.runs import metrics_of, newest_of_one_task
from pairlens.results.result import Result

PARAMETER = "runs"
_KEY = "runs_chosen"
_GROUPS = {"UID": "paradigm", "linguistics_term": "phenomenon"}


def chosen_runs() -> list[str]:
    return list(dict.fromkeys(one for one in st.query_params.get(PARAMETER, "").split(",") if one))


def compare_runs(run_ids: list[str]) -> None:
    st.query_params.from_dict({"view": "compare", PARAMETER: ",".join(run_ids)})


def choose_runs() -> list[str]:
    """A choice among the finished runs, first the newest two of one task, the older as reference, or what to do."""
    runs = resources.store().runs()
    runs = runs[runs["state"] == "done"].set_index("run_id")
    if len(runs) < 2:
        notices.note("Two finished runs are needed, for example one benchmark run with two models.")
        st.page_link("pages/zero_shot.py", label="Open Benchmarks", icon=":material/leaderboard:")
        return []
    known = [run for run in chosen_runs() if run in runs.index]
    if PARAMETER not in st.query_params:
        known = newest_of_one_task(runs)
    for missing in [run for run in chosen_runs() if run not in runs.index]:
        notices.warning(f"There is no finished run '{missing}' on this machine: it was deleted, or made elsewhere.")
    st.session_state[_KEY] = known
    models = runs["model"].map(short_names([*runs["model"]]))
    named = zip(runs.index, runs["title"], models, strict=True)
    titles = {run_id: f"{title} · {run_id} · {model}" for run_id, title, model in named}
    st.multiselect(
        "Runs", list(runs.index), key=_KEY, on_change=_take_runs, placeholder="Choose two or more",
        format_func=titles.__getitem__,
    )  # fmt: skip
    if len(known) < 2:
        notices.note("Choose two or more runs here, or tick them in the list of runs.")
    return known


def _take_runs() -> None:
    st.query_params[PARAMETER] = ",".join(st.session_state[_KEY])


def show_run_comparison(run_ids: Sequence[str]) -> None:
    """The comparison with the chosen reference, metric and group; at first with what it has by itself."""
    if len(run_ids) < 2:
        notices.note(
            "Choose two or more runs: tick them in the list of runs, or name them in the address "
            "(?view=compare&runs=ID,ID)."
        )
        return
    with notices.explained_errors():
        first, _ = compared(run_ids)
        names = {run.id: run.name for run in first.runs}
        place = st.container(horizontal=True, vertical_alignment="bottom")
        reference = _one_of(place, "Reference run", "reference", list(names), names.__getitem__)
        metrics = metrics_of(first.runs)
        metric = _one_of(place, "Metric", "metric", metrics, lambda name: METRICS[name].title)
        groups = groups_of(first.runs, metric)
        titles = {name: _GROUPS.get(name, name.replace("_", " ")) for name in groups}
        group_by = _one_of(place, "Grouped by", "by", groups, titles.__getitem__) if groups else ""
        _, result = compared(run_ids, reference, metric, group_by)
        show_findings(result)
        if page := first.reference.task.page:
            st.page_link(OWN_PAGES[page], label=f"Open {page}", icon=":material/arrow_forward:")
        show_evidence(result, key="compared")


def _one_of(
    place: DeltaGenerator, label: str, key: str, options: Sequence[str], translate: Callable[[str], str]
) -> str:
    """One of these, which the link keeps; nothing is asked where there is one only."""
    if len(options) == 1:
        return options[0]
    linked, box = st.query_params.get(key, ""), f"compared_{key}"
    st.session_state[box] = linked if linked in options else options[0]  # another comparison has other options
    chosen = place.selectbox(
        label, options, key=box, format_func=translate, width=300, on_change=_take, args=(key, box)
    )
    return str(chosen)


def _take(key: str, box: str) -> None:
    st.query_params[key] = st.session_state[box]


Compared = tuple[RunComparison, Result]


def compared(run_ids: Sequence[str], reference: str = "", metric: str = "", group_by: str = "") -> Compared:
    return _comparison(tuple(run_ids), tuple(map(_finished, run_ids)), (reference, metric, group_by))


@resources.remembered("Comparing …")
def _comparison(run_ids: tuple[str, ...], states: tuple[str, ...], chosen: tuple[str, str, str]) -> Compared:  # noqa: ARG001
    comparison = comparison_of(resources.store(), run_ids, *chosen)
    return comparison, result_of(comparison)


def _finished(run_id: str) -> str:
    """When a run was finished; empty for one that cannot be read, which its reader says."""
    try:
        return str(resources.store().manifest(run_id).get("finished", ""))
    except StoreError:
        return ""

"""Stored runs beside each other: who is ahead, where, on which items, and what differs in how they were made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.files.exports import SPREADSHEET, workbook
from core.metrics import METRICS
from core.reports.run_comparison import wording
from core.reports.run_comparison.chosen import metrics_of
from core.reports.run_comparison.numbers import groups_of
from core.reports.run_comparison.report import RunComparison
from pages.components.results import resources as kept
from pages.components.results.show_flipped_items import show_flipped_items
from pages.components.results.show_recipe_differences import show_recipe_differences
from pages.components.results.show_run_numbers import show_every_pair, show_run_numbers, show_training
from pages.components.results.show_stored_run import OWN_PAGES
from pages.components.shared import notices
from pages.components.shared.downloads import File, Part, gathered_downloads, show_menu

_GROUPS = {"UID": "paradigm", "linguistics_term": "phenomenon"}


def show_run_comparison(run_ids: Sequence[str]) -> None:
    """The answer in words, charts, items that changed sides, recipes, downloads."""
    if len(run_ids) < 2:
        notices.note(
            "Choose two or more runs: tick them in the list of runs, or name them in the address "
            "(?view=compare&runs=ID,ID)."
        )
        return
    with notices.explained_errors():
        found = _choose(run_ids)
        _say(found)
        with gathered_downloads() as parts:
            show_run_numbers(found)
            show_training(found)
            show_every_pair(found)
            show_flipped_items(found)
            show_recipe_differences(found)
        _show_downloads(found, parts)


def _choose(run_ids: Sequence[str]) -> RunComparison:
    """The comparison with the chosen reference, metric and group; at first with what it has by itself."""
    first = kept.comparison(run_ids)
    names = {run.id: run.name for run in first.runs}
    place = st.container(horizontal=True, vertical_alignment="bottom")
    reference = _one_of(place, "Reference run", "reference", list(names), names.__getitem__)
    metrics = metrics_of(first.runs)
    metric = _one_of(place, "Metric", "metric", metrics, lambda name: METRICS[name].title)
    groups = groups_of(first.runs, metric)
    group_by = _one_of(place, "Grouped by", "by", groups, _group) if groups else ""
    return kept.comparison(run_ids, reference, metric, group_by)


def _group(name: str) -> str:
    return _GROUPS.get(name, name.replace("_", " "))


def _one_of(place: DeltaGenerator, label: str, key: str, options: Sequence[str], said: Callable[[str], str]) -> str:
    """One of these, which the link keeps; nothing is asked where there is one only."""
    if len(options) == 1:
        return options[0]
    asked, box = st.query_params.get(key, ""), f"compared_{key}"
    st.session_state[box] = asked if asked in options else options[0]  # another comparison has other options
    chosen = place.selectbox(label, options, key=box, format_func=said, width=300, on_change=_take, args=(key, box))
    return str(chosen)


def _take(key: str, box: str) -> None:
    st.query_params[key] = st.session_state[box]


def _say(found: RunComparison) -> None:
    for place, sentence in enumerate(found.findings):
        notices.write("$sentence", "pl-headline" if not place else "pl-second", sentence=sentence)
    stands_behind = wording.grounds(found.differences, found.metric, found.reference.task)
    behind = " ".join(filter(None, (wording.one_model(found.runs), stands_behind)))
    notices.write("$behind", "pl-quiet", behind=behind)
    for caution in found.cautions:
        notices.warning(caution)
    task = found.reference.task
    if task.page:
        notices.note(wording.elsewhere(task))
        st.page_link(OWN_PAGES[task.page], label=f"Open {task.page}", icon=":material/arrow_forward:")


def _show_downloads(found: RunComparison, parts: Sequence[Part]) -> None:
    stem = f"compared-{found.reference.id}-{len(found.runs)}-{found.metric}"
    whole = File("Everything as an Excel workbook", lambda: workbook(found.sheets()), f"{stem}.xlsx", SPREADSHEET)
    show_menu(stem, parts, [whole])

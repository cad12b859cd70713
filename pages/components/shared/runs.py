"""The runs on this machine, newest first; what is in one; what has been saved, and the link that opens it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import Part
from pages.components.shared.link import open_in_compare
from pages.components.shared.show_result import Views, show_evidence
from pages.components.shared.tables import show_table
from pairlens.evaluation.result import Run, babylm_archive, short_names
from pairlens.evaluation.run_list import headline_of
from pairlens.reports.reproduction import FORMS, why_not, zipped
from pairlens.reports.run_report.result import result_of
from pairlens.results.result import Export, Result, Table
from pairlens.store import Store

_COLUMNS = {
    "title": "Run",
    "model": "Model",
    "shown": "Result (95 % interval)",
    "n": st.column_config.NumberColumn("Items", format="localized"),
    "preset": "Scoring",
    "state": "State",
    "created": st.column_config.DatetimeColumn("Started (UTC)"),
    "place": "Model's folder or full name",
}
_SHOWN = 50
PROGRAMS = {
    "minicons": "minicons", "lm-eval": "lm-evaluation-harness", "logs": "Logs of other programs", "r": "R",
    "notebook": "Notebooks",
}  # fmt: skip


def show_runs(store: Store, *tasks: str) -> None:
    """A table of the runs of these tasks; the chosen ones go to the link as `run`."""
    runs = store.runs()
    runs = runs[runs["task"].isin(tasks)].head(_SHOWN)
    if runs.empty:
        return
    runs = runs.assign(place=runs["model"], model=runs["model"].map(short_names([*runs["model"]])))
    runs = runs.assign(shown=[headline_of(json.loads(manifest)) or "no number" for manifest in runs["manifest"]])
    st.header("Runs on this machine", anchor=False)
    event = show_table(
        runs[list(_COLUMNS)], column_config=_COLUMNS, on_select="rerun", selection_mode="multi-row", key="runs"
    )
    chosen = [runs.iloc[place]["run_id"] for place in event.selection.rows if place < len(runs)]
    label = "Open this run" if len(chosen) == 1 else f"Compare these {len(chosen)} runs"
    if chosen and st.button(label, icon=":material/open_in_new:"):
        st.query_params.from_dict({"run": chosen})
        st.rerun()


def show_run_evidence(
    run: Run, metric: str, paradigm: str | None, tabs: Mapping[str, Callable[[], None]], gathered: Sequence[Part] = ()
) -> None:
    """Its tables, the items those of a `paradigm` if one was clicked; a chosen item opens in Compare."""
    whole = _whole(run, metric)
    tables = [_of_paradigm(table, paradigm) if table.name == "items" else table for table in whole.tables]
    where = "All paradigms; click a row of the chart above for one."
    if paradigm:
        n = len(tables[0].frame)
        where = f"Only {paradigm}. {min(n, tables[0].most):,} of {notices.counted(n, run.task.noun)}."
    notices.text(where, "pl-quiet")
    rows = {} if run.task.confidential else {"items": partial(_open_item, run)}
    views = Views(rows=rows, opened=("items",), tabs=tabs, charts=False)
    metrics = Part(f"{run.manifest['run_id']}-metrics", lambda: run.metrics)
    show_evidence(replace(whole, tables=tables, exports=[*_for_programs(run)]), views, gathered=[*gathered, metrics])


@resources.remembered(most=16)
def _whole(run: Run, metric: str) -> Result:
    return result_of([run], resources.store(), metric)


def _for_programs(run: Run) -> Iterator[Export]:
    """What gives its numbers again elsewhere, and the run for BabyLM."""
    possible = [form for form in FORMS if not why_not(run, form)]
    for form in possible:
        yield Export(PROGRAMS[form], f"-{form}.zip", partial(zipped, [run], [form], resources.store()))
    if len(possible) > 1:
        yield Export("All of these", "-programs.zip", partial(zipped, [run], list(FORMS), resources.store()))
    yield Export("BabyLM report", ".zip", partial(babylm_archive, run))


def _of_paradigm(table: Table, paradigm: str | None) -> Table:
    if paradigm is None or "paradigm" not in table.frame:
        return table
    rows = table.frame[table.frame["paradigm"] == paradigm]
    return replace(table, make=lambda: rows)


def _open_item(run: Run, row: pd.Series) -> None:
    if isinstance(row.get("right"), str) and isinstance(row.get("rival"), str):
        right, rival = (f"{row.get('context', '')}{row[side]}" for side in ("right", "rival"))
        open_in_compare(right, rival, run.manifest["model"], run.policy)


def say_saved(run_id: str) -> None:
    """It stands in the list of Results, opened there by the link."""
    st.toast("Saved to Results.")
    notices.note(f"Saved to Results as {run_id}.")
    st.page_link("pages/results.py", label="Open it", icon=":material/open_in_new:", query_params={"run": run_id})

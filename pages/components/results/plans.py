"""Plans of many runs: how far each model is on each task."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pandas as pd
import streamlit as st

from core.plans import progress
from core.plans.progress import PlanRecord
from core.settings import program
from pages.components.shared import notices
from pages.components.shared.rights import rights
from pages.components.shared.tables import show_table

_SECONDS = 2.0
_HEIGHT = 420
_COLUMNS = {
    "model": "Model",
    "task": "Task",
    "data": "Data",
    "state": "State",
    "share": st.column_config.ProgressColumn("Texts", format="percent", min_value=0, max_value=1),
    "reason": "Reason",
}
_ENDED = {"done": "done", "cancelled": "cancelled", "failed": "ended, not all of it", "lost": "killed"}


def show_plans() -> None:
    """Draw plans that run, and keep drawing; below a heading, those that ended before everything was done."""
    if not rights().may("housekeeping"):  # they name folders, and run from the command line
        return
    found = progress.records()
    if running := [one.file for one in found if one.state == progress.RUNNING]:
        st.fragment(_draw, run_every=_SECONDS)(running)
    for one in found:
        if one.state not in (progress.RUNNING, progress.DONE):
            _show_ended(one)


def _draw(files: list[str]) -> None:
    watched = [one for one in progress.records() if one.file in files and one.state == progress.RUNNING]
    if len(watched) < len(files):
        st.rerun()
    for one in watched:
        notices.write(
            "Plan $name: $done of $total runs done · $minutes min", name=Path(one.file).name,
            done=_count(one, progress.DONE), total=len(one.cells), minutes=f"{one.seconds / 60:.0f}",
        )  # fmt: skip
        _show_cells(one)


def _show_ended(one: PlanRecord) -> None:
    name = Path(one.file).name
    with st.expander(f"Plan {name}: {_ENDED[one.state]}, {_count(one, progress.DONE)} of {len(one.cells)} runs done"):
        notices.write("What is missing is run by: $command", command=f"{program()} plan run {one.file}")
        _show_cells(one)


def _count(one: PlanRecord, state: str) -> int:
    return sum(cell.state == state for cell in one.cells)


def _show_cells(one: PlanRecord) -> None:
    table = pd.DataFrame([asdict(cell) for cell in one.cells])
    table["share"] = (table["done"] / table["total"]).where(table["total"] > 0)
    if not table["reason"].any():
        table = table.drop(columns="reason")
    shown = [name for name in _COLUMNS if name in table]
    height = _HEIGHT if len(table) > 10 else "content"
    show_table(
        table[shown],
        column_config=_COLUMNS,
        height=height,
        alt="One row per model and task: how much of it is scored",
    )

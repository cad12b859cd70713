"""The items that changed sides between two runs, and every item's margin in one against that in the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from core.charts.run_comparison import margin_against_margin
from core.metrics import METRICS
from core.reports.run_comparison.basis import APART
from core.reports.run_comparison.chosen import Run
from core.reports.run_comparison.report import CHANGED, RunComparison, flipped, thinned
from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.tables import show_table

_SHOWN = 500
_SQUARE = 480


def show_flipped_items(found: RunComparison) -> None:
    """Margin against margin, then a table that can be sorted; of one run where there are several."""
    st.header("Items that changed sides", anchor=False)
    if not METRICS[found.metric].averages:
        notices.note(f"{METRICS[found.metric].title} is one number for all items, none of which is right or wrong.")
        return
    run = _choose(found)
    noun = found.reference.task.noun
    if found.bases[run.id].kind == APART:
        notices.note(f"The two runs have no {noun} with the same wording, so none can change sides.")
        return
    items = _margins(found, run)
    if items.empty:
        notices.note(f"No {noun} could be judged in both runs.")
        return
    _show(found, run, items)


def _choose(found: RunComparison) -> Run:
    by_id = {run.id: run for run in found.others}
    if len(by_id) == 1:
        return found.others[0]
    if st.session_state.get("flipped_in") not in by_id:
        st.session_state["flipped_in"] = found.others[0].id
    chosen = st.selectbox(
        f"Between {notices.literal(found.reference.name)} and", list(by_id), key="flipped_in",
        format_func=lambda run_id: by_id[run_id].name, width=360, persist_state="session",
    )  # fmt: skip
    return by_id[chosen]


def _show(found: RunComparison, run: Run, items: pd.DataFrame) -> None:
    task, changed = found.reference.task, flipped(items)
    counts = [f"{int((changed['right_in'] == side).sum()):,}" for side in CHANGED]
    counted = "Counted" if METRICS[found.metric].higher_is_better is None else "Right"
    said = (
        f"{len(changed):,} of {notices.counted(len(items), task.noun)} changed sides. {counted} in {run.name} only: "
        f"{counts[0]}, in {found.reference.name} only: {counts[1]}."
    )
    if partly := int((items["right_in"] == "part").sum()):
        said += f" {partly:,} are ties or half right in at least one run and are on neither side."
    notices.text(said)
    drawn = thinned(items)
    chart = margin_against_margin(drawn, said, (run.name, found.reference.name)) if len(items) > 1 else None
    if chart:
        with st.container(width=_SQUARE):
            show_chart(chart, f"margins_{run.id}_{found.reference.id}")
    if len(drawn) < len(items):
        notices.write(
            "The chart shows $drawn of them, spread evenly over all changes of margin.",
            "pl-quiet",
            drawn=f"{len(drawn):,}",
        )
    pair = f"{run.id}-{found.reference.id}-{found.metric}"
    show_downloads(f"{pair}-margins", items, chart)
    if task.confidential:
        notices.note(f"The texts of {task.title} are confidential: only ids and numbers are stored and shown.")
    _show_table(found, run, changed)
    show_downloads(f"{pair}-changed-sides", changed)


def _show_table(found: RunComparison, run: Run, changed: pd.DataFrame) -> None:
    """The items with texts, margins and groups; a click on a column's title sorts."""
    if changed.empty:
        return
    main = found.reference.task.groups[0]
    names = {CHANGED[0]: run.name, CHANGED[1]: found.reference.name}
    rows = changed.head(_SHOWN).assign(right_in=changed["right_in"].map(names))
    texts = [name for name in ("formula", "context", "right", "rival", "texts") if name in rows]
    texts = [name for name in texts if rows[name].fillna("").astype(bool).any()]
    margins = {"margin": run.name, "margin_reference": found.reference.name, "change": "Change"}
    show_table(
        rows[["right_in", *texts, *margins, main, "item"]],
        column_config={
            "right_in": "Counted in" if METRICS[found.metric].higher_is_better is None else "Right in",
            "formula": "Prediction", "context": "After", "right": "Right", "rival": "Wrong", "texts": "Texts",
            **{
                name: st.column_config.NumberColumn(f"{title} (bits)", format="%+.2f")
                for name, title in margins.items()
            },
            main: "Group", "item": "Item",
        },
    )  # fmt: skip
    if len(changed) > _SHOWN:
        notices.write("The $n largest changes of margin. The download has all of them.", "pl-quiet", n=f"{_SHOWN:,}")


BY_RUNS: dict[str | type, Callable[[Any], object]] = {
    RunComparison: lambda found: (found.reference.id, found.metric, [_identity(run) for run in found.runs]),
    Run: lambda run: _identity(run),
}


@resources.remembered("Comparing items …", by=BY_RUNS)
def _margins(found: RunComparison, run: Run) -> pd.DataFrame:
    return found.margins(run)


def _identity(run: Run) -> tuple[str, str]:
    return run.id, str(run.manifest.get("finished", ""))

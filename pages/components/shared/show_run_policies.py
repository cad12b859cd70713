"""A run's number under every policy: what holds, what is fragile, which policy gives a published number."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.charts.named_rows import Measure
from core.charts.run_numbers import ORIGINS, by_policy
from core.errors import ModelError
from core.metrics import METRICS
from core.reports.multiverse import Layout, wording
from core.reports.multiverse.numbers import OWN, QUERY, RUN
from core.runs.estimate import duration_in_words
from core.store import jobs
from pages.components.shared import notices
from pages.components.shared import resources_of_runs as kept
from pages.components.shared.number_columns import number_columns
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_command import show_command
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_fragile import show_fragile
from pages.components.shared.show_match import show_match
from pages.components.shared.show_table import show_table
from pages.components.shared.watch_jobs import watch_jobs

_SAID = dict(zip((OWN, QUERY, RUN), ORIGINS, strict=True))
_NUMBERS = {"value": "Value", "low": "95 % from", "high": "95 % to"}
_COLUMNS = {
    "label": "Policy", "presets": "Preset", "said": "From", "n": "Items", "ties": "Ties",
    "ties_count": "A tie counts", "undecided": "Too close", "excluded": "Left out", "run_id": "Run",
}  # fmt: skip


def show_run_policies(run_id: str, metric: str = "") -> None:
    """All of it; nothing is scored unless a button is pressed. `metric` is the headline's if none is named."""
    with notices.explained_errors():
        layout = kept.layout(run_id, metric)
        found = kept.under_all_policies(layout)
        if found.decisions is not None:
            notices.write("<strong>$said</strong>", said=wording.headline(found.decisions, layout.task.noun))
        _show_numbers(layout, found)
        _offer(layout)
        if found.decisions is not None:
            show_fragile(layout, found.decisions)
        show_match(layout)


def _show_numbers(layout: Layout, found: kept.UnderAllPolicies) -> None:
    table = found.numbers.assign(said=found.numbers["origin"].map(_SAID))
    finding = wording.span(table, layout.metric)
    notices.write("$finding", finding=finding)
    metric = METRICS[layout.metric]
    chart = by_policy(table, finding, Measure(metric.title, metric.scale))
    show_chart(chart, f"policies_{layout.run_id}_{layout.metric}")
    ticks = "; grey ticks are other tie rules" if table["label"].duplicated().any() else ""
    notices.write(
        "With 95 % intervals. The dashed line is this run's own number$ticks. $corrections", "pl-quiet",
        ticks=ticks, corrections=found.corrections,
    )  # fmt: skip
    if said := wording.unlike(table):
        notices.warning(said)
    for reason, labels in wording.by_reason(found.reasons).items():
        notices.note(f"No number for {labels}: {reason}")
    with st.expander("The numbers as a table", key=f"numbers_{layout.run_id}"):
        columns = [
            "label",
            "presets",
            *_NUMBERS,
            "said",
            "n",
            "ties",
            "ties_count",
            "undecided",
            "excluded",
            "run_id",
        ]
        config = _COLUMNS | number_columns(_NUMBERS, layout.metric)
        show_table(table[columns], column_config=config, alt="One row per policy")
    show_downloads(f"{layout.run_id}-policies-{layout.metric}", table.drop(columns="said"), chart)


def _offer(layout: Layout) -> None:
    """What is not scored yet, how long it would take, and the button that starts it."""
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
        time = duration_in_words(kept.seconds(layout))
    except ModelError as absent:
        notices.note(f"{wording.missing(layout)} {absent}")
        return
    notices.write("$said", said=wording.missing(layout, time))
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Score them: about {time}", icon=":material/play_arrow:", key=f"score_{layout.run_id}"):
            title = f"{layout.task.title} · {layout.manifest['data']} · all policies · {layout.manifest['model']}"
            jobs.start(arguments, title)
            st.rerun()
        with st.popover("Which ones", icon=":material/list:", key=f"which_{layout.run_id}"):
            labels = [layout.label(way) for way in layout.missing]
            show_table(pd.DataFrame({"Not scored yet": labels}), alt="Policies not scored yet")
        show_command([arguments], key=f"cli_{layout.run_id}")

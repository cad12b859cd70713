"""The same benchmark over a model's training: curves of a stored sweep, and how to start one."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.analysis import checkpoints
from core.analysis.summary import OVERALL
from core.charts.curves import over_training
from core.errors import StoreError
from core.runs import command
from core.runs.result import Result
from core.settings import settings
from core.store import jobs
from core.store.sweeps import REFUSED, WAITING, Sweep, sweeps
from pages.components.shared import notices, resources
from pages.components.shared.run_request import RunRequest
from pages.components.shared.show_chart import show_chart
from pages.components.shared.show_downloads import show_downloads
from pages.components.shared.show_paradigms import measure_of
from pages.components.shared.show_table import show_table

_ALL = "all paradigms"
_LINES = 5
_ORDER = {
    "group": "Paradigm",
    "words": st.column_config.NumberColumn("Learnt at (median)", format="compact"),
    "learnt": st.column_config.NumberColumn("Items learnt", format="percent"),
    "n_items": "Items",
}


def show_checkpoints(result: Result, metric: str, asked: RunRequest | None) -> None:
    """The curve of a stored sweep on these data, if there is one, and a form that starts one."""
    wanted = result.manifest["data_hash"], result.rule
    stored = [sweep for sweep in sweeps(resources.store()) if (sweep.data_hash, sweep.rule) == wanted]
    if stored:
        names = {
            f"{sweep.model} · {sweep.scorer} · {len(sweep.points)} checkpoints · {sweep.id}": sweep
            for sweep in stored
        }
        _show_sweep(names[st.selectbox("Sweep", list(names), key="sweep")], result, metric)
    else:
        notices.write("No sweep over checkpoints is stored for these data.", "pl-quiet")
    if asked is None:
        notices.note("This run was opened by its id: choose its data to start a sweep.")
        return
    _offer(asked)


def _show_sweep(sweep: Sweep, result: Result, metric: str) -> None:
    table = checkpoints.curve(resources.store(), sweep)
    table = table[(table["name"] == metric) & (table["over"] == "items")]
    if waiting := [point.name for point in sweep.points if point.state == WAITING]:
        notices.write("Not finished yet: $names.", "pl-quiet", names=", ".join(waiting))
    for point in sweep.points:
        if point.state == REFUSED:
            notices.warning(f"{point.name} is left out: {point.reason}")
    points = _points(table, result)
    if points.empty:
        notices.note("No checkpoint of this sweep that says how much it had seen is finished yet.")
        return
    _say_what_is_not_drawn(table)
    unit = points["unit"].iloc[0]
    last = points.iloc[points["words"].argmax()]
    finding = f"{sweep.model}: {points['checkpoint'].nunique()} checkpoints, up to {last['words']:,.0f} {unit}"
    chart = over_training(points, finding, measure_of(result, metric), f"{unit.capitalize()} seen")
    show_chart(chart, f"training_{sweep.id}_{metric}")
    show_downloads(f"{sweep.id}-curve", table, chart)
    _show_order(sweep)


def _points(table: pd.DataFrame, result: Result) -> pd.DataFrame:
    """The lines to draw: the headline, and the paradigms that were chosen."""
    known = table[table["words"] > 0]
    overall = known[known["group_by"] == OVERALL].drop_duplicates("checkpoint").assign(line=_ALL)
    groups = known[known["group_by"] == result.main_group]
    chosen = st.multiselect(
        "Paradigms", list(groups["group"].unique()), key="lines", max_selections=_LINES,
        placeholder="Draw some paradigms too",
    )  # fmt: skip
    drawn = groups[groups["group"].isin(chosen)]
    return pd.concat([overall, drawn.assign(line=drawn["group"])])


def _say_what_is_not_drawn(table: pd.DataFrame) -> None:
    ageless = table[~(table["words"] > 0)]["checkpoint"].unique()
    if len(ageless):
        notices.write(
            "Not drawn, because their names do not say what they had seen: $names.",
            "pl-quiet",
            names=", ".join(ageless),
        )
    doubled = table[(table["same_as"] != "") & (table["words"] > 0)].drop_duplicates("checkpoint")
    said = [f"{row.checkpoint} has the weights of {row.same_as}" for row in doubled.itertuples()]
    if said:
        notices.write("Hollow: $said.", "pl-quiet", said="; ".join(said))


def _show_order(sweep: Sweep) -> None:
    try:
        order = checkpoints.acquisition_order(resources.store(), sweep)
    except StoreError as none:
        notices.write("$none", "pl-quiet", none=none)
        return
    notices.write("The paradigms in the order in which they are learnt: right from there on to the last checkpoint.")
    show_table(order[list(_ORDER)], column_config=_ORDER)


def _offer(asked: RunRequest) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.text_input(
            "A folder of checkpoints, or a model on the hub", key="sweep_model", width=420,
            placeholder="/home/me/checkpoints or org/name",
        )  # fmt: skip
        which = st.text_input("Which", "all", key="sweep_revisions", width=180, help="Names, chck_* or all")
        pressed = st.button("Run all checkpoints", icon=":material/play_arrow:")
    if not pressed:
        return
    if not model.strip() or not which.strip():
        notices.error("Type the folder that holds the checkpoints, or a model's name on the hub, and which of them.")
        return
    planned = asked.planned
    rule = "" if planned.rule == planned.task.rules[0] else planned.rule
    output = settings().home.resolve() / "reports"
    arguments = command.sweep(
        planned.task.name,
        asked.data.resolve(),
        model.strip(),
        which.strip(),
        planned.recipe.policy,
        output,
        rule=rule,
        options=command.options_of(planned.task),
    )
    jobs.start(arguments, f"{planned.task.title} · checkpoints of {model.strip()}")
    st.rerun()

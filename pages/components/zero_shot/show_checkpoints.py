"""The same benchmark over a model's training: which checkpoints there are, curves of stored sweeps, and a new one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.downloads import show_chart, show_downloads
from pages.components.shared.models import MODEL as MODELS
from pages.components.shared.models import SCORABLE
from pages.components.shared.paradigms import choose_among, measure_of
from pages.components.shared.tables import show_table
from pairlens.analysis import checkpoints
from pairlens.analysis.summary import OVERALL, metrics_under
from pairlens.charts.run_numbers import over_training
from pairlens.errors import StoreError
from pairlens.evaluation import command
from pairlens.evaluation.evaluate import data_name
from pairlens.evaluation.result import short_names
from pairlens.evaluation.samples import items_of
from pairlens.metrics import METRICS
from pairlens.models.resolve import is_folder, refuse_closed
from pairlens.policies import Policy
from pairlens.reports.run_report.wording import percent
from pairlens.scoring.checkpoints import ALL, holds_checkpoints, is_training
from pairlens.scoring.checkpoints import checkpoints as checkpoints_of
from pairlens.settings import settings
from pairlens.store import jobs
from pairlens.store.sweeps import REFUSED, WAITING, Sweep, sweeps
from pairlens.types import Task

MODEL = "checkpoints"
"""In the link: the folder, or the model on the hub."""
_ALL = "all paradigms"
_LINES = 5
_WHICH = "Names, chck_* or all. best=20000000 says how much the one called best had seen, if its name does not."
_ORDER = {
    "group": "Paradigm",
    "words": st.column_config.NumberColumn("Learnt at (median)", format="compact"),
    "learnt": st.column_config.NumberColumn("Items learnt", format="percent"),
    "n_items": "Items",
}


@dataclass(frozen=True)
class Asked:
    """What checkpoints are asked; `data_hash` is empty where it is not known yet."""

    task: Task
    rule: str
    data: Path
    policy: Policy
    data_hash: str = ""

    def is_of(self, sweep: Sweep) -> bool:
        same = sweep.data_hash == self.data_hash if self.data_hash else sweep.data == data_name(self.data)
        return same and (sweep.task, sweep.rule) == (self.task.name, self.rule)


def show_checkpoints(request: Asked) -> None:
    """The form for a folder of checkpoints, and the curve of a stored sweep on these data."""
    model, which, words, pressed = _choose_training()
    with notices.explained_errors():
        if model:
            _refuse_closed(model, which or ALL)
        if holds_checkpoints(model):
            checkpoints = checkpoints_of(model, [which or ALL])
            every = [checkpoint.name for checkpoint in checkpoints]
            named = ", ".join(every if len(every) <= 2 * _LINES else [*every[:_LINES], "…", *every[-_LINES:]])
            notices.write("$n: $named.", n=notices.counted(len(checkpoints), "checkpoint"), named=named)
            for one in (checkpoint for checkpoint in checkpoints if checkpoint.assumed):
                notices.write(
                    "$name does not say how long it was trained: taken to be as long as the last, and drawn hollow.",
                    "pl-quiet", name=one.name,
                )  # fmt: skip
        if pressed:
            _start(request, model, which, words)
    stored = [sweep for sweep in sweeps(resources.store()) if request.is_of(sweep)]
    if not stored:
        notices.write("No sweep over checkpoints is stored for these data yet.", "pl-quiet")
        return
    stored.sort(key=lambda sweep: sweep.model != model)
    names = {
        f"{sweep.model} · {sweep.scorer} · {len(sweep.points)} checkpoints · {sweep.id}": sweep for sweep in stored
    }
    answer = st.container()
    chosen = next(iter(names))
    if len(names) > 1:
        chosen = st.selectbox("Sweep", list(names), key="sweep", persist_state="session")
    with answer:
        _show_sweep(names[chosen], request)


def _refuse_closed(model: str, which: str) -> None:
    """ModelError also for a revision of a model on the hub that may not be named, though the model may."""
    refuse_closed(model)
    if "/" in model and not is_folder(model):
        repo = model.partition("@")[0]
        for one in map(str.strip, which.split(",")):
            refuse_closed(repo if one == ALL or set(one) & set("*?[") else f"{repo}@{one}")


def _choose_training() -> tuple[str, str, list[str], bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        model = st.text_input(
            "A folder of checkpoints, or a model on the hub", key=MODEL, width=420, bind="query-params",
            placeholder="/home/me/checkpoints or org/name",
        )  # fmt: skip
        which = st.text_input("Which", ALL, key="sweep_revisions", width=180, help=_WHICH, persist_state="session")
        pressed = st.button("Run all checkpoints", icon=":material/play_arrow:")
    parts = [part.strip() for part in (which or "").split(",")]
    names = ",".join(part.partition("=")[0] for part in parts)
    return (model or "").strip(), names, [part for part in parts if "=" in part], pressed


def _start(request: Asked, model: str, which: str, words: Sequence[str]) -> None:
    if not model or not which:
        notices.error("Type the folder that holds the checkpoints, or a model's name on the hub, and which of them.")
        return
    options = [*command.options_of(request.task), *(one for said in words for one in ("--words", said))]
    arguments = command.sweep(
        request.task.name, request.data.resolve(), model, which, request.policy,
        settings().home.resolve() / "reports",
        rule="" if request.rule == request.task.rules[0] else request.rule, options=options,
    )  # fmt: skip
    jobs.start(arguments, f"{request.task.title} · checkpoints of {model}")
    st.rerun()


def _show_sweep(sweep: Sweep, request: Asked) -> None:
    metric = choose_among(metrics_under(request.task, request.rule), request.task)
    table = checkpoints.curve(resources.store(), sweep)
    table = table[(table["name"] == metric) & (table["over"] == "items")]
    if waiting := [point.name for point in sweep.points if point.state == WAITING]:
        notices.write("Not finished yet: $names.", "pl-quiet", names=", ".join(waiting))
    for point in sweep.points:
        if point.state == REFUSED:
            notices.warning(f"{point.name} is left out: {point.reason}")
    headline = st.container()
    points = _points(table, request.task.groups[0], sweep)
    if points.empty:
        notices.note("No checkpoint of this sweep that says how much it had seen is finished yet.")
        return
    unit = points["unit"].iloc[0]
    last = points.iloc[points["words"].argmax()]
    with headline:
        _show_headline(points[points["line"] == _ALL], sweep, metric, request.task)
    finding = f"{sweep.model}: {points['checkpoint'].nunique()} checkpoints, up to {last['words']:,.0f} {unit}"
    chart = over_training(points, finding, measure_of(request.task, metric), f"{unit.capitalize()} seen")
    show_chart(chart, f"training_{sweep.id}_{metric}")
    _say_what_is_hollow(table, sweep)
    show_downloads(f"{sweep.id}-curve", table, chart)
    try:
        order = checkpoints.acquisition_order(resources.store(), sweep)
    except StoreError as none:
        notices.text(none, "pl-quiet")
        return
    notices.write("Paradigms in the order in which they are learnt: right from that checkpoint on to the last.")
    show_table(order[list(_ORDER)], column_config=_ORDER)


def _show_headline(points: pd.DataFrame, sweep: Sweep, metric: str, task: Task) -> None:
    """The number at the first and at the last checkpoint, of a metric that has one over all items."""
    if points.empty:
        return
    scale, first, last = METRICS[metric].scale, points.iloc[0], points.iloc[-1]
    begun = "<strong>$first</strong> at $begin, " if len(points) > 1 else ""
    notices.write(
        f'<strong title="$place">$model</strong>: $title {begun}<strong>$last</strong> at '
        "$end, on $items.", "pl-headline", place=sweep.model, model=short_names([sweep.model])[sweep.model],
        title=METRICS[metric].title.lower(), first=percent(first["value"], scale), begin=first["checkpoint"],
        last=percent(last["value"], scale), end=last["checkpoint"],
        items=items_of(sweep.data, int(last["n"]), task.noun),
    )  # fmt: skip


def _points(table: pd.DataFrame, main: str, sweep: Sweep) -> pd.DataFrame:
    """The lines to draw: the headline, and the paradigms that were chosen; what was assumed is as a repetition."""
    known = table[table["words"] > 0]
    overall = known[known["group_by"] == OVERALL].drop_duplicates("checkpoint").assign(line=_ALL)
    groups = known[known["group_by"] == main]
    chosen = st.multiselect(
        "Paradigms", list(groups["group"].unique()), key=f"lines_{sweep.id}", max_selections=_LINES,
        placeholder="Draw some paradigms too", persist_state="session",
    )  # fmt: skip
    drawn = groups[groups["group"].isin(chosen)]
    points = pd.concat([overall, drawn.assign(line=drawn["group"])])
    assumed = [point.name for point in sweep.points if point.assumed]
    return points.assign(same_as=points["same_as"].mask(points["checkpoint"].isin(assumed), "assumed"))


def _say_what_is_hollow(table: pd.DataFrame, sweep: Sweep) -> None:
    ageless = table[~(table["words"] > 0)]["checkpoint"].unique()
    if len(ageless):
        notices.write(
            "Not drawn, because their names do not say what they had seen: $names. Say it under Which, as in "
            "best=20000000, and run them again: scores are kept.",
            "pl-quiet",
            names=", ".join(ageless),
        )
    doubled = table[(table["same_as"] != "") & (table["words"] > 0)].drop_duplicates("checkpoint")
    twins = [f"{row.checkpoint} has the weights of {row.same_as}" for row in doubled.itertuples()]
    twins += [f"{point.name} is taken to be as old as the last" for point in sweep.points if point.assumed]
    if twins:
        notices.write("Hollow: $said.", "pl-quiet", said="; ".join(twins))


def find_checkpoints(view: str) -> None:
    """Take such a folder out of the chosen models, before they are drawn, and open the tab for it."""
    followed = MODELS not in st.session_state
    chosen = st.query_params.get_all(MODELS) if followed else st.session_state[MODELS]
    if folders := [name for name in chosen if holds_checkpoints(name) and is_training(name)]:
        known = [model for model in resources.catalogue() if model.kind in SCORABLE]
        first = sorted(known, key=lambda model: SCORABLE.index(model.kind))[:1]
        others = [name for name in chosen if name not in folders] or [model.name for model in first]
        parameters = {MODEL: folders[-1], view: "Checkpoints", MODELS: others}
        if followed:
            earlier = {name: st.query_params.get_all(name) for name in st.query_params}
            st.switch_page("pages/zero_shot.py", query_params=earlier | parameters)
        if MODEL not in st.session_state:  # nothing is bound to it yet that would write it there
            st.query_params[MODEL] = folders[-1]
        st.session_state.update(parameters)

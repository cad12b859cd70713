"""The same benchmark over a model's training: which checkpoints there are, curves of stored sweeps, and a new one."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.components.shared import notices, resources
from pages.components.shared.models import MODEL as MODELS
from pages.components.shared.models import SCORABLE
from pages.components.shared.paradigms import choose_among
from pages.components.shared.show_result import Views, show_evidence, show_findings
from pages.components.shared.tables import show_table
from pairlens.analysis.summary import metrics_under
from pairlens.charts.run_numbers import TURNED
from pairlens.evaluation import command
from pairlens.evaluation.evaluate import data_name
from pairlens.files.suites import suite, suites
from pairlens.models.resolve import is_folder, refuse_closed
from pairlens.policies import Policy
from pairlens.reports import sweep as sweep_result
from pairlens.scoring.checkpoints import ALL, holds_checkpoints, is_training
from pairlens.scoring.checkpoints import checkpoints as checkpoints_of
from pairlens.settings import settings
from pairlens.store import jobs
from pairlens.store.sweeps import Sweep, sweeps
from pairlens.types import Task

MODEL = "checkpoints"
"""In the link: the folder, or the model on the hub."""
_LINES = 5
_SECONDS = 2.0
_WHICH = "Names, chck_* or all. best=20000000 says how much the one called best had seen, if its name does not."


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
    running = any(not job.ended and job.arguments[0] == "zero-shot" for job in jobs.jobs())
    st.fragment(_show_stored, run_every=_SECONDS if running else None)(request, model)


def _show_stored(request: Asked, model: str) -> None:
    """The sweep on these data, preferably of this model; while checkpoints are scored, its curves grow."""
    stored = [sweep for sweep in sweeps(resources.store()) if request.is_of(sweep)]
    if not stored:
        notices.write("No sweep over checkpoints is stored for these data yet.", "pl-quiet")
        return
    stored.sort(key=lambda sweep: sweep.model != model)
    names = {f"{one.model} · {one.scorer} · {len(one.points)} checkpoints · {one.id}": one for one in stored}
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
    task, metric = request.task, choose_among(metrics_under(request.task, request.rule), request.task)
    rows = sweep_result.numbers(resources.store(), sweep, metric)
    answer = st.container()
    groups = rows[(rows["group_by"] == task.groups[0]) & (rows["words"] > 0)]["group"]
    paradigms = st.multiselect(
        "Paradigms", list(groups.unique()), key=f"lines_{sweep.id}", max_selections=_LINES,
        placeholder="Draw some paradigms too", persist_state="session",
    )  # fmt: skip
    if sweep_result.points_of(rows, sweep, task.groups[0], paradigms).empty:
        notices.note("No checkpoint of this sweep that says how much it had seen is finished yet.")
        return
    shown = sweep_result.result(resources.store(), sweep, task, metric, rows, paradigms)
    with answer:
        show_findings(shown)
    beneath = partial(_show_turned, rows, task)
    show_evidence(
        shown, Views(clicks={"training": lambda: None}, beneath={"training": beneath}), key="tab_of_training"
    )
    for name in suites():
        if task.name in {entry.task for entry in suite(name).entries}:
            label = f"What a submission to {suite(name).title} still needs"
            link = {"task": name}
            st.page_link("pages/zero_shot.py", label=label, icon=":material/arrow_forward:", query_params=link)


def _show_turned(rows: pd.DataFrame, task: Task) -> None:
    """The items that changed sides at the checkpoint that was clicked."""
    chart = st.session_state.get("training_chart")
    points = chart.selection.get(TURNED, []) if chart else []
    if not points:
        notices.text("Click a point to see what turned there.", "pl-quiet")
        return
    line, checkpoint = str(points[0]["line"]), str(points[0]["checkpoint"])
    items = sweep_result.turned(resources.store(), rows, line, checkpoint, task.groups[0])
    now = int((items["right_in"] == "run").sum()) if len(items) else 0
    notices.write(
        "At $checkpoint, $line: $now turned right, $then wrong.", checkpoint=checkpoint, line=line, now=now,
        then=len(items) - now,
    )  # fmt: skip
    if len(items):
        names = {"right": "Right", "rival": "Wrong", "margin_reference": "Margin before", "margin": "Margin here"}
        shown = items[[name for name in names if name in items]].rename(columns=names)
        show_table(shown, alt="One row per item that changed sides at this checkpoint")


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

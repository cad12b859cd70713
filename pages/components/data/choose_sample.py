"""Our own samples: a small one for every benchmark and format, and experiments."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from core.runs.zero_shot import sample
from core.settings import ROOT
from core.tasks import TASKS
from pages.components.data import resources as kept
from pages.components.data.chosen import Chosen
from pages.components.shared import choose_dataset, choose_source, resources
from pages.components.shared.choose_row import choose_row
from pages.components.shared.choose_task import in_order
from pages.components.shared.experiment import Experiment
from pages.components.shared.notices import counted

_SAMPLES = ROOT / "data" / "samples"
_PREDICTIONS = "_predictions"
"""At the end of a folder's name: it holds what a model said of the sample in another folder."""
_COLUMNS = {
    "title": "Name", "tests": st.column_config.TextColumn("What it tests", width="large"),
    "holds": "Items", "kind": "Used in",
}  # fmt: skip


def choose_sample() -> Chosen:
    """One of ours, BLiMP's to begin with."""
    known = {**_of_tasks(), **_of_experiments()}
    rows = pd.DataFrame([_row(chosen) for chosen in known.values()])
    return known[choose_row(rows, list(known), _COLUMNS, "Our samples")]


def _of_tasks() -> dict[str, Chosen]:
    """By the names of their folders: that of a task, with more behind it where a task has several samples."""
    found = {}
    for task in in_order():
        for folder in sorted(_SAMPLES.glob(f"{task.name}*")):
            if _task_of(folder) != task.name or folder.name.endswith(_PREDICTIONS):
                continue
            usual = folder.name == task.name
            path = sample(task) if usual else folder
            opened = {"task": task.name} | (
                {"data": choose_dataset.SAMPLE} if usual else {"data": choose_dataset.PATH, "path": str(folder)}
            )
            more = folder.name.removeprefix(task.name).replace("_", " ").strip().capitalize()
            title = task.title + (f" ({more})" if more else "")
            found[folder.name] = Chosen(title, path, task, benchmark={} if task.instead else opened)
    return found


def _task_of(folder: Path) -> str:
    """The longest name of a task that a folder's name begins with."""
    fitting = [name for name in TASKS if folder.name == name or folder.name.startswith(f"{name}_")]
    return max(fitting, key=len, default="")


def _of_experiments() -> dict[str, Chosen]:
    found = {}
    for title, source in choose_source.samples().items():
        _, columns = resources.experiment_table(source)
        opened = {"data": choose_source.SAMPLE, "sample": title}
        path = choose_source.SAMPLES / source.name
        found[path.stem] = Chosen(
            title[0].upper() + title[1:], path, experiment=Experiment(source, columns), in_experiment=opened
        )
    return found


def _row(chosen: Chosen) -> dict[str, str]:
    if chosen.experiment:
        about = "Sentences by condition, with a region of interest."
        holds = counted(len(resources.design(chosen.experiment).sentences), "sentence")
        return {"title": chosen.title, "tests": about, "holds": holds, "kind": "Your experiment"}
    holds = counted(len(kept.reading(chosen).items), chosen.noun)
    return {
        "title": chosen.title,
        "tests": chosen.task.about if chosen.task else "",
        "holds": holds,
        "kind": "Benchmarks",
    }

"""Our own samples, one for every benchmark and format, and the public data sets with the one that is looked at."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from core.files.datasets import Dataset, catalogue, named, path_of, state
from core.runs.zero_shot import sample
from core.settings import ROOT, settings
from core.sharing import why_not
from core.tasks import TASKS
from pages.components.data.chosen import Chosen, reading
from pages.components.shared import datasets, notices, resources, sentences
from pages.components.shared.choose_task import in_order
from pages.components.shared.datasets import fetch_dataset, megabytes, offer_to_remove
from pages.components.shared.experiment import Experiment
from pages.components.shared.notices import counted
from pages.components.shared.rights import rights
from pages.components.shared.tables import choose_row, show_table

_SAMPLES = ROOT / "data" / "samples"
_PREDICTIONS = "_predictions"
"""At the end of a folder's name: it holds what a model said of the sample in another folder."""
_SAMPLE_COLUMNS = {
    "title": "Name", "tests": st.column_config.TextColumn("What it tests", width="large"),
    "holds": "Items", "kind": "Used in",
}  # fmt: skip
_HERE = {"here": "yes", "mirror": "in the mirror", "absent": "no", "bring": "bring your own"}
_PUBLIC_COLUMNS = {
    "here": st.column_config.TextColumn("Here", width=110),
    "title": st.column_config.TextColumn("Name", width="medium"),
    "items": st.column_config.TextColumn("Items", width="medium"),
    "languages": "Languages",
    "size": "Size",
    "licence": "Licence",
    "about": st.column_config.TextColumn("What it is", width="large"),
}
_LANGUAGES = {
    "de": "German", "en": "English", "fr": "French", "he": "Hebrew", "it": "Italian", "pt": "Portuguese",
    "ru": "Russian",
}  # fmt: skip


def choose_sample() -> Chosen:
    """One of ours, BLiMP's to begin with."""
    known = {**_of_tasks(), **_of_experiments()}
    rows = pd.DataFrame([_row(chosen) for chosen in known.values()])
    return known[choose_row(rows, list(known), _SAMPLE_COLUMNS, "Our samples")]


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
                {"data": datasets.SAMPLE} if usual else {"data": datasets.PATH, "path": str(folder)}
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
    for title, source in sentences.samples().items():
        _, columns = resources.experiment_table(source)
        opened = {"data": sentences.SAMPLE, "sample": title}
        path = sentences.SAMPLES / source.name
        found[path.stem] = Chosen(
            title[0].upper() + title[1:], path, experiment=Experiment(source, columns), in_experiment=opened
        )
    return found


def _row(chosen: Chosen) -> dict[str, str]:
    if chosen.experiment:
        about = "Sentences by condition, with a region of interest."
        holds = counted(len(resources.design(chosen.experiment).sentences), "sentence")
        return {"title": chosen.title, "tests": about, "holds": holds, "kind": "Your experiment"}
    holds = counted(len(reading(chosen).items), chosen.noun)
    return {
        "title": chosen.title,
        "tests": chosen.task.about if chosen.task else "",
        "holds": holds,
        "kind": "Benchmarks",
    }


def choose_public() -> Chosen | None:
    """One of the catalogue, with the button that gets it; None if it is not here or no benchmark reads it."""
    known = catalogue()
    _say_where_from()
    rows = pd.DataFrame([_row_of(dataset) for dataset in known.values()])
    dataset = named(choose_row(rows, list(known), _PUBLIC_COLUMNS, "Public data sets"))
    _show_public(dataset)
    path = path_of(dataset)
    if path is None:
        return None
    if dataset.task not in TASKS:
        notices.note(f"No benchmark in Pairlens reads this set. Its files are in {path}.")
        return None
    # Benchmarks lists what was fetched under its title.
    opened = {"task": dataset.task, "data": dataset.title}
    return Chosen("", path, TASKS[dataset.task], benchmark=opened)


def _say_where_from() -> None:
    """What getting means on this machine: from the network, from a mirror folder, or not at all."""
    here = sum(path_of(dataset) is not None for dataset in catalogue().values())
    parts = [f"{here} of {len(catalogue())} are on this machine."]
    if not rights().may("fetch"):
        parts.append(str(why_not("fetch")))
    elif mirror := settings().mirror:
        parts.append(f"Files come from the mirror folder {mirror} where it has them.")
    if settings().offline:
        parts.append("Pairlens is offline (PAIRLENS_OFFLINE): nothing is fetched from the network.")
    elif rights().may("fetch"):
        parts.append("The others can be fetched from their authors' pages, at a fixed version, and are verified.")
    notices.text(" ".join(parts), "pl-quiet")


def _row_of(dataset: Dataset) -> dict[str, str]:
    return {
        "here": _HERE[state(dataset)],
        "title": dataset.title,
        "items": dataset.items,
        "languages": ", ".join(dataset.languages),
        "size": megabytes(dataset),
        "licence": dataset.licence,
        "about": dataset.about,
    }


def _show_public(dataset: Dataset) -> None:
    """What a visitor should know before using it, and the buttons that get and delete it."""
    notices.write("<strong>$title</strong>", "pl-second", title=dataset.title)
    languages = ", ".join(_LANGUAGES.get(code, code) for code in dataset.languages)
    facts = [languages, dataset.items, megabytes(dataset)]
    notices.write("$about $facts.", about=dataset.about, facts=" · ".join(fact for fact in facts if fact))
    notices.write("<strong>Licence: $licence.</strong> $terms", licence=dataset.licence, terms=dataset.terms)
    if dataset.task in TASKS and TASKS[dataset.task].confidential:
        notices.write("Its texts are confidential: this page shows only ids, groups and numbers.")
    notices.write(
        'From <a href="$address" target="_blank" rel="noopener">$address</a>', "pl-quiet", address=dataset.address
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"), notices.explained_errors():
        with st.popover("Cite", icon=":material/format_quote:"):
            st.code(dataset.citation, language=None, wrap_lines=True)
        if dataset.files:
            with st.popover(notices.counted(len(dataset.files), "file"), icon=":material/folder_open:"):
                files = [(path, file.size, file.sha256) for path, file in dataset.files.items()]
                show_table(
                    pd.DataFrame(files, columns=["path", "bytes", "sha256"]), alt="The files of this set",
                    column_config={
                        "path": "File", "bytes": st.column_config.NumberColumn("Bytes", format="localized"),
                    },
                )  # fmt: skip
        if state(dataset) == "here" and dataset.fetchable and rights().may("housekeeping"):
            offer_to_remove(dataset)
    with notices.explained_errors():
        fetch_dataset(dataset)

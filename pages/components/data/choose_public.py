"""The public data sets: which there are, how large, under which licence, and whether they are here."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.files.datasets import Dataset, catalogue, named, path_of, state
from core.settings import settings
from core.sharing import why_not
from core.tasks import TASKS
from pages.components.data.chosen import Chosen
from pages.components.data.show_public import show_public
from pages.components.shared import notices
from pages.components.shared.datasets import megabytes
from pages.components.shared.rights import rights
from pages.components.shared.tables import choose_row

_HERE = {"here": "yes", "mirror": "in the mirror", "absent": "no", "bring": "bring your own"}
_COLUMNS = {
    "here": st.column_config.TextColumn("Here", width=110),
    "title": st.column_config.TextColumn("Name", width="medium"),
    "items": st.column_config.TextColumn("Items", width="medium"),
    "languages": "Languages",
    "size": "Size",
    "licence": "Licence",
    "about": st.column_config.TextColumn("What it is", width="large"),
}


def choose_public() -> Chosen | None:
    """One of the catalogue, with the button that gets it; None if it is not here or no benchmark reads it."""
    known = catalogue()
    _say_where_from()
    rows = pd.DataFrame([_row(dataset) for dataset in known.values()])
    dataset = named(choose_row(rows, list(known), _COLUMNS, "Public data sets"))
    show_public(dataset)
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
    notices.write("$said", "pl-quiet", said=" ".join(parts))


def _row(dataset: Dataset) -> dict[str, str]:
    return {
        "here": _HERE[state(dataset)],
        "title": dataset.title,
        "items": dataset.items,
        "languages": ", ".join(dataset.languages),
        "size": megabytes(dataset),
        "licence": dataset.licence,
        "about": dataset.about,
    }

"""Which pairs with gold labels: our samples, a public set that is here, or files of the visitor's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import streamlit as st

from core.errors import PairlensError
from core.files.datasets import Dataset, of_task, path_of
from core.files.labels import SYSTEMS
from core.files.nli.table import COLUMNS
from core.files.tables import ending, read_table
from core.messages import Message
from core.store import uploads
from core.tasks.nli import files_of
from pages.components.nli.results import DataSet, numbered
from pages.components.nli.samples import samples
from pages.components.nli.words import Words
from pages.components.shared import notices
from pages.components.shared.show_table import show_table

KEY, PATH, PARAMETER = "data", "path", "path"
SAMPLE, PUBLIC, UPLOAD = "sample", "public", "upload"
_TABLES = (".csv", ".tsv", ".tab", ".xlsx")
_SOURCES = {
    SAMPLE: Message("Our samples"), PUBLIC: Message("Public sets"), UPLOAD: Message("Upload"), PATH: Message("Path"),
}  # fmt: skip
_ROLES = {
    "premise": Message("Column of the premise"), "hypothesis": Message("Column of the hypothesis"),
    "gold": Message("Column of the gold label"), "id": Message("Column of the id"),
}  # fmt: skip


def choose_data(say: Words) -> list[DataSet]:
    """The chosen data sets, none while nothing was given; what cannot be read is said and left out."""
    here = {dataset.title: dataset for dataset in of_task("nli") if path_of(dataset)}
    sources = [source for source in _SOURCES if source != PUBLIC or here]
    asked = st.query_params.get(KEY, SAMPLE)
    source = st.segmented_control(
        say("Data"), sources, default=asked if asked in sources else SAMPLE, required=True, key=f"nli_{KEY}",
        format_func=lambda name: say(_SOURCES[name]), on_change=_share,
    )  # fmt: skip
    if source == SAMPLE:
        return [sample.data for sample in samples(say)]
    if source == PUBLIC:
        title = st.selectbox(say("Public set"), list(here), key=PUBLIC, bind="query-params", width=300)
        return [found for data in _of_public(say, here[str(title)]) if (found := _read(say, data))]
    if source == UPLOAD:
        files = given_files(
            say, say("Pairs with gold labels: ASSIN's XML, SICK, SNLI's JSON lines, or a table"), "nli_gold"
        )
    else:
        typed = st.text_input(say("A file on the machine that runs Pairlens"), key=PARAMETER, bind="query-params")
        files = [Path(typed.strip()).expanduser()] if typed and typed.strip() else []
    names = numbered(DataSet(file).name for file in files)
    return [found for file, name in zip(files, names, strict=True) if (found := _readable(say, file, name))]


def given_files(say: Words, label: str, key: str) -> list[Path]:
    """Files from the visitor, kept on this machine, each once; what is wrong with them is said."""
    given = st.file_uploader(label, accept_multiple_files=True, key=key)
    found = []
    for file in given:
        with notices.explained_errors(say):
            found.append(uploads.keep([(file.name, file.getvalue())]))
    return [*dict.fromkeys(found)]


def _share() -> None:
    st.query_params[KEY] = st.session_state[f"nli_{KEY}"]


def _of_public(say: Words, dataset: Dataset) -> list[DataSet]:
    """The files of a public set that are looked at, the first one to begin with."""
    path = path_of(dataset)
    assert path
    if path.is_file():
        return [DataSet(path, title=dataset.title)]
    files = {file.relative_to(path).with_suffix("").as_posix(): file for file in files_of(path)}
    chosen = st.multiselect(
        say("Files of {name}", name=dataset.title), list(files), default=[*files][:1], key=f"files_{dataset.name}"
    )
    return [DataSet(files[name], title=name) for name in chosen]


def _readable(say: Words, file: Path, name: str) -> DataSet | None:
    """The data set, with what the visitor says of its labels and columns; None if it cannot be read."""
    return _read(say, DataSet(file, _choose_system(say, file), _choose_columns(say, file), name))


def _read(say: Words, data: DataSet) -> DataSet | None:
    """The data set, or the part of it that is chosen, with what is to be said about it; None if it cannot be read."""
    try:
        corpus = data.read()
    except PairlensError as wrong:
        notices.error(say(wrong.message))
        return None
    for note in corpus.notes:
        notices.write("$name: $note", "pl-quiet", name=data.name, note=say(note))
    if corpus.left_out:
        with st.expander(say("Records left out: {n}", n=len(corpus.left_out))):
            rows = [{say("Where"): say(where), say("Why"): say(why)} for where, why in corpus.left_out]
            show_table(pd.DataFrame(rows))
    if len(corpus.splits) < 2:
        return data
    part = st.selectbox(
        say("Part of {name}", name=notices.literal(data.name)), ["", *corpus.splits], key=f"part_{data.path}",
        width=300, format_func=lambda name: name or say("all pairs"),
    )  # fmt: skip
    return replace(data, part=part)


def _choose_system(say: Words, file: Path) -> str:
    return str(
        st.selectbox(
            say("Labels of the data (origem) in {name}", name=notices.literal(file.name)), ["", *SYSTEMS],
            key=f"system_{file}", width=300,
            format_func=lambda name: SYSTEMS[name].title if name else say("as its labels show"),
        )
    )  # fmt: skip


def _choose_columns(say: Words, file: Path) -> dict[str, str]:
    """Which columns hold what, where a table's names do not say it."""
    if ending(file) not in _TABLES:
        return {}
    try:
        columns = [str(name) for name in read_table(file).columns]
    except PairlensError:
        return {}  # said when the pairs are read
    known = {role for role in _ROLES if {name.lower() for name in columns} & set(COLUMNS[role])}
    if {"premise", "hypothesis"} <= known or {"entailment_ab", "entailment_ba"} <= {one.lower() for one in columns}:
        return {}
    with st.container(horizontal=True):
        chosen = {
            role: st.selectbox(
                say(title), columns, index=None, key=f"column_{role}_{file}", width=190,
                placeholder=say("Choose an option"),
            )
            for role, title in _ROLES.items()
        }  # fmt: skip
    return {role: name for role, name in chosen.items() if name}

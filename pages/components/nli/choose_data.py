"""Which pairs with gold labels: our samples with answers made by hand, a public set, or files and their columns."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pandas as pd
import streamlit as st

from pages.components.nli.results import Answering, DataSet, numbered, predictions
from pages.components.nli.words import Words
from pages.components.shared import notices, resources
from pages.components.shared.datasets import show_fetching
from pages.components.shared.given_files import given_files
from pages.components.shared.rights import may_name_paths
from pages.components.shared.rights import path_of as named_path
from pages.components.shared.sentences import choose_reading
from pages.components.shared.tables import choose_column, show_table
from pairlens.errors import PairlensError
from pairlens.files.datasets import Dataset, of_task, path_of
from pairlens.files.labels import SYSTEMS, system_of
from pairlens.files.nli.columns import chosen, guessed
from pairlens.files.nli.label_map import LabelMap, fitting, names_in
from pairlens.files.nli.readers import COLUMNS
from pairlens.files.tables import Layout, ending, read_laid_out
from pairlens.messages import Message
from pairlens.places import bundled
from pairlens.tasks.nli import files_of

KEY, PATH, PARAMETER, GIVEN = "data", "path", "path", "nli_gold"
SAMPLE, PUBLIC, UPLOAD = "sample", "public", "upload"
_SOURCES = {
    SAMPLE: Message("Our samples"), PUBLIC: Message("Public sets"), UPLOAD: Message("Upload"), PATH: Message("Path"),
}  # fmt: skip
_USUAL = {role: COLUMNS[role] for role in ("premise", "hypothesis", "gold", "id")}
_TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".jsonl", ".parquet")
_ROLES = {
    "premise": Message("Column of the premise"), "hypothesis": Message("Column of the hypothesis"),
    "gold": Message("Column of the gold label"), "label": Message("Column of the answer"),
    "id": Message("Column of the id"),
}  # fmt: skip
_FOLDER = bundled("samples", "nli")
_NUMBERED = MappingProxyType({"0": "entailment", "1": "neutral", "2": "contradiction"})
"""The order in which public copies of SNLI number its labels."""
_SAMPLES = (
    ("assin.xml", "assin", "pt", "assin_answers.csv", "sick", "assin_answers_reverse.csv"),
    ("assin2.xml", "assin2", "pt", "assin2_answers.xml", "assin2"),
    ("sick.txt", "sick", "pt", "sick_answers.jsonl", "assin"),
    ("snli.jsonl", "snli", "en", "snli_answers.json", "sick"),
    ("frases.csv", "sick", "pt", "frases_answers.csv", "sick"),
)
"""Pairs, the labels of their data, their language, answers, the labels of these, answers to swapped pairs."""
_COLUMNS = MappingProxyType({"id": "número", "premise": "afirmação", "hypothesis": "conclusão", "gold": "resposta"})


def choose_source(say: Words) -> str:
    named = st.query_params.get(KEY, SAMPLE)
    sources = [name for name in _SOURCES if name != PATH or may_name_paths(KEY, PATH)]
    return str(
        st.segmented_control(
            say("Data"), sources, default=named if named in sources else SAMPLE, required=True, key=f"nli_{KEY}",
            format_func=lambda name: say(_SOURCES[name]), on_change=_share,
        )
    )  # fmt: skip


def choose_data(say: Words, source: str) -> list[DataSet]:
    """The chosen data sets, none while nothing was given; what cannot be read is said and left out."""
    if source == SAMPLE:
        return [data for data, _ in samples(say)]
    if source == PUBLIC:
        public = sorted(of_task("nli"), key=lambda dataset: not path_of(dataset))
        titles = [dataset.title for dataset in public]
        title = st.selectbox(say("Public set"), titles, key=PUBLIC, bind="query-params", width=300)
        data_sets = [_read(say, data) for data in _of_public(say, public[titles.index(str(title))])]
    else:
        if source == UPLOAD:
            about = say("Pairs with gold labels: ASSIN's XML, SICK, SNLI's JSON lines, or a table")
            files = given_files(about, GIVEN, say)
        else:
            typed = st.text_input(say("A file on the machine that runs Pairlens"), key=PARAMETER, bind="query-params")
            files = [path for path in [named_path(typed, say)] if path]
        names = numbered(DataSet(file).name for file in files)
        data_sets = [_readable(say, file, name) for file, name in zip(files, names, strict=True)]
    return [data for data in data_sets if data]


def offer_public(say: Words) -> None:
    """Beside a number of our own samples: the button that shows the public sets, which can be fetched there."""
    st.button(
        say("Get a published set"), icon=":material/database:", key="published", on_click=_share, args=(PUBLIC,)
    )


def _share(source: str = "") -> None:
    st.session_state[f"nli_{KEY}"] = st.query_params[KEY] = source or st.session_state[f"nli_{KEY}"]


def _of_public(say: Words, dataset: Dataset) -> list[DataSet]:
    """The chosen files of a public set, the first one to begin with; none, and how to get it, if it is not here."""
    path = path_of(dataset)
    if path is None:
        show_fetching(dataset, say)
        return []
    language = dataset.languages[0] if len(dataset.languages) == 1 else ""
    if path.is_file():
        return [DataSet(path, title=dataset.title, language=language)]
    files = {file.relative_to(path).with_suffix("").as_posix(): file for file in files_of(path)}
    names = st.multiselect(
        say("Files of {name}", name=dataset.title), list(files), default=[*files][:1],
        key=f"nli_files_of_{dataset.name}", persist_state="session", placeholder=say("Choose an option"),
    )  # fmt: skip
    return [DataSet(files[name], title=name, language=language) for name in names]


def _readable(say: Words, file: Path, name: str) -> DataSet | None:
    """The data set, with what the visitor says of its labels and columns; None if it cannot be read yet."""
    system = st.selectbox(
        say("Labels of the data (origem) in {name}", name=notices.literal(file.name)), ["", *SYSTEMS],
        key=f"system_{file}", width=300, persist_state="session",
        format_func=lambda name: SYSTEMS[name].title if name else say("as its labels show"),
    )  # fmt: skip
    layout = choose_reading(file, say, GIVEN).layout
    columns = choose_columns(say, file, layout, _USUAL, ("premise", "hypothesis", "gold"), ("entailment_ab",))
    return None if columns is None else _read(say, DataSet(file, str(system), columns, name, layout=layout))


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
        width=300, format_func=lambda name: name or say("all pairs"), persist_state="session",
    )  # fmt: skip
    return replace(data, part=part)


def choose_columns(
    say: Words,
    file: Path,
    layout: Layout,
    usual: Mapping[str, tuple[str, ...]],
    needed: Sequence[str],
    unless: Collection[str],
) -> dict[str, str] | None:
    """The columns by role, empty where names say them; None while a `needed` one was not chosen.

    `usual` has the names that a column of each role has usually; a table with a column `unless` needs none of them.
    """
    if ending(file) not in _TABLES:
        return {}
    try:
        table = resources.read_file(file, read_laid_out, file, layout, translate=say)
    except PairlensError:
        return {}  # said when the file is read
    names = [str(name) for name in table.columns]
    called, likely = chosen(table, usual, {}, ""), guessed(table, usual)
    known = all(role in called and called[role] == likely.get(role) for role in needed)
    if known or table.empty or {name.strip().lower() for name in names} & {*unless}:
        return {}
    notices.note(
        say("The columns of {file} have names of their own: look whether they are read right.", file=file.name)
    )
    with st.container(horizontal=True):
        columns = {
            role: choose_column(say(title), names, f"column_{role}_{needed[-1]}_{file}", likely.get(role, ""))
            for role, title in _ROLES.items()
            if role in usual
        }
    if not all(columns[role] for role in needed):
        roles = ", ".join(say(_ROLES[role]) for role in needed)
        notices.note(say("Choose a column for each of these: {roles}.", roles=roles))
        return None
    return {role: name for role, name in columns.items() if name}


def samples(say: Words) -> Iterator[tuple[DataSet, Answering]]:
    """Our pairs, each set with answers named after the labels that they use; one that needs both directions first."""
    for file, system, language, answers, labels, *reverse in _SAMPLES:
        like, title = system_of(system).title, say("our sample like {system}", system=system_of(system).title)
        data = DataSet(_FOLDER / file, title=title, like=like, language=language)
        if file == "frases.csv":
            data = replace(data, system=system, columns=_COLUMNS, title=say("our table of sentences"))
        inferred = fitting(names_in(predictions(_FOLDER / answers)))
        reading = LabelMap(labels, inferred.labels if inferred else _NUMBERED)
        name = say("{system} labels", system=system_of(labels).title)
        turned = next((_FOLDER / one for one in reverse), None)
        yield data, Answering(name, reading, _FOLDER / answers, turned, about=data)

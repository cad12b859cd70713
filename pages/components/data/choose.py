"""Which data: our own samples, the public sets, or files of the visitor, kept here; and what reads them."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pandas as pd
import streamlit as st

from pages.components.data.answers import show_answers
from pages.components.data.chosen import EXPERIMENTS, PAGES, Chosen, links_to, reading
from pages.components.shared import datasets, notices, resources, sentences
from pages.components.shared.choose_task import in_order
from pages.components.shared.datasets import fetch_dataset, megabytes, offer_to_remove
from pages.components.shared.experiment import Experiment, Source
from pages.components.shared.given_files import take
from pages.components.shared.link import keep_in_link
from pages.components.shared.notices import counted
from pages.components.shared.rights import rights
from pages.components.shared.sentences import choose_pair_columns, choose_reading
from pages.components.shared.tables import PARAMETER, choose_row, show_table
from pairlens.errors import PairlensError
from pairlens.evaluation.readers import readers
from pairlens.evaluation.zero_shot import sample
from pairlens.files.datasets import Dataset, catalogue, named, path_of, state
from pairlens.files.tables import PACKED
from pairlens.places import bundled
from pairlens.settings import settings
from pairlens.sharing import why_not
from pairlens.store import uploads, visitors
from pairlens.store.uploads import Upload
from pairlens.studies.experiment.columns import guess_columns
from pairlens.tasks import TASKS
from pairlens.tasks.pairs import Pairs, text_columns
from pairlens.text.languages import name_of

_EXPERIMENT = "Your experiment"
_SAMPLES = bundled("samples")
_PREDICTIONS = "_predictions"
"""At the end of a folder's name: it holds what a model said of the sample in another folder."""
_SAMPLE_COLUMNS = {
    "title": st.column_config.TextColumn("Name", width=150),
    "tests": st.column_config.TextColumn("What it tests", width=560),
    "holds": st.column_config.TextColumn("Items", width=110),
    "used": st.column_config.TextColumn("Used in", width=120),
}
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


def choose_sample() -> Chosen:
    known = {}
    for task in in_order():
        for folder in sorted(_SAMPLES.glob(f"{task.name}*")):
            if _task_of(folder) != task.name or folder.name.endswith(_PREDICTIONS):
                continue
            more = folder.name.removeprefix(task.name).replace("_", " ").strip().capitalize()
            title = task.title + (f" ({more})" if more else "")
            if task.name == "agreement":
                links = links_to(task, f"Our {more or 'English'} sample")
            elif more:
                links = links_to(task, datasets.PATH, str(folder))
            else:
                links = links_to(task, datasets.SAMPLE)
            known[folder.name] = Chosen(title, folder if more else sample(task), task, links=links)
    known |= _of_experiments()
    rows = pd.DataFrame([_row(chosen) for chosen in known.values()])
    return known[choose_row(rows, list(known), _SAMPLE_COLUMNS, "Our samples")]


def _task_of(folder: Path) -> str:
    fitting = [name for name in TASKS if folder.name == name or folder.name.startswith(f"{name}_")]
    return max(fitting, key=len, default="")


def _of_experiments() -> dict[str, Chosen]:
    sets = {}
    for title, source in sentences.samples().items():
        _, columns = resources.experiment_table(source)
        opened = {"data": sentences.SAMPLE, "sample": title}
        path = sentences.SAMPLES / source.name
        experiment = Experiment(source, columns)
        sets[path.stem] = Chosen(title[0].upper() + title[1:], path, None, experiment, {EXPERIMENTS: opened})
    return sets


def _row(chosen: Chosen) -> dict[str, str]:
    if chosen.experiment:
        about = "Sentences by condition, with a region of interest."
        holds = counted(len(resources.design(chosen.experiment).sentences), "sentence")
    else:
        about = chosen.task.about if chosen.task else ""
        holds = counted(len(reading(chosen).items), chosen.noun)
    used = ", ".join(PAGES[page] for page in chosen.links) or "the command line"
    return {"title": chosen.title, "tests": about, "holds": holds, "used": used}


def choose_public() -> Chosen | None:
    """One of the catalogue, with the button that gets it; None if it is not here or no benchmark reads it."""
    known = catalogue()
    here = sum(path_of(dataset) is not None for dataset in known.values())
    parts = [f"{here} of {len(known)} are on this machine."]
    if not rights().may("fetch"):
        parts.append(str(why_not("fetch")))
    elif mirror := settings().mirror:
        parts.append(f"Files come from the mirror folder {mirror} where it has them.")
    if settings().offline:
        parts.append("Pairlens is offline (PAIRLENS_OFFLINE): nothing is fetched from the network.")
    elif rights().may("fetch"):
        parts.append("The others can be fetched from their authors' pages, at a fixed version, and are verified.")
    notices.text(" ".join(parts), "pl-quiet")
    rows = pd.DataFrame([_row_of(dataset) for dataset in known.values()])
    dataset = named(choose_row(rows, list(known), _PUBLIC_COLUMNS, "Public data sets"))
    _show_public(dataset)
    path = path_of(dataset)
    if path is None:
        return None
    if dataset.task not in TASKS:
        notices.note(f"No benchmark in Pairlens reads this set. Its files are in {path}.")
        return None
    task = TASKS[dataset.task]
    return Chosen("", path, task, links=links_to(task, dataset.title))


def _row_of(dataset: Dataset) -> dict[str, str]:
    own = {name: str(getattr(dataset, name)) for name in ("title", "items", "licence", "about")}
    languages = ", ".join(dataset.languages)
    row = {"here": _HERE[state(dataset)], "languages": languages, "size": megabytes(dataset), **own}
    return {name: row[name] for name in _PUBLIC_COLUMNS}


def _show_public(dataset: Dataset) -> None:
    """What a visitor should know before using it, and the buttons that get and delete it."""
    notices.write("<strong>$title</strong>", "pl-second", title=dataset.title)
    facts = filter(None, (", ".join(map(name_of, dataset.languages)), dataset.items, megabytes(dataset)))
    notices.write("$about $facts.", about=dataset.about, facts=" · ".join(facts))
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


_TAKEN = "taken"
READER = "reader"
"""What the link calls the format of the chosen file, where it is not the guessed one."""
_LABEL = (
    "One or several files: a table (CSV, TSV, Excel, Parquet), JSON lines, or the files of a benchmark; text also as "
    + " or ".join(PACKED)
)
_COLUMNS = {
    "name": st.column_config.TextColumn("Name", width="medium"),
    "when": st.column_config.DatetimeColumn("Uploaded", format="D MMM YYYY, HH:mm"),
    "size": "Size",
}


def choose_upload() -> Chosen | None:
    """A file of the visitor's and what reads it; None, and what to do, if there is none or nothing reads it."""
    _take()
    listed = uploads.kept()
    linked = uploads.find(st.query_params.get(PARAMETER, ""))
    if linked and linked.id not in [one.id for one in listed]:  # somebody else's, who has passed on the link
        listed = [linked, *listed]
    if not listed:
        notices.note("No files yet. What you upload stays on this machine until you delete it here.")
        return None
    sizes = [notices.counted(one.size, "byte") if one.size < 1_000 else notices.size(one.size) for one in listed]
    rows = pd.DataFrame({"name": [one.name for one in listed], "when": [one.when for one in listed], "size": sizes})
    if any(whose := visitors.told_to_operator("uploads", [one.folder.name for one in listed])):
        rows["Visitor"] = whose
    version = f"{len(listed)}_{st.session_state.get(_TAKEN)}"
    by_id = {one.id: one for one in listed}
    before = st.query_params.get(PARAMETER, listed[0].id)
    upload = by_id[choose_row(rows, [*by_id], _COLUMNS, "Your files", version)]
    if upload.id != before:
        st.query_params.pop(READER, None)
    fitting = _readers(upload)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reader = _choose_reader(upload, fitting)
        if visitors.may_change("uploads", upload.folder.name):
            _offer_to_remove(upload)
    if reader is None:
        if show_answers(upload):
            return None
        notices.warning("No format fits. Choose the one it should have to see what is wrong.")
        return None
    if reader == _EXPERIMENT:
        with notices.explained_errors():
            source = choose_reading(upload.path)
            _, columns = resources.experiment_table(source)
            return Chosen(upload.name, upload.path, None, Experiment(source, columns), _in_experiment(upload))
        return None
    return _benchmark(upload, reader, _in_experiment(upload) if _EXPERIMENT in fitting else {})


def _take() -> None:
    files = st.file_uploader(_LABEL, accept_multiple_files=True, key="given")
    ids = [file.file_id for file in files]
    if not files or ids == st.session_state.get(_TAKEN):
        return
    for one in take(files):
        st.session_state[_TAKEN] = ids
        st.query_params[PARAMETER] = one.id


def _choose_reader(upload: Upload, fitting: Sequence[str]) -> str | None:
    """What reads it: guessed from what is in it, and the visitor's to correct; None if no format fits."""
    names = [*fitting, *(name for name in [*TASKS, _EXPERIMENT] if name not in fitting)]
    usual = fitting[0] if fitting else None
    linked = st.query_params.get(READER, usual)
    place = names.index(linked) if linked in names else None
    chosen = st.selectbox(
        "Format", names, index=place, width=300, key=f"read_as_{upload.id}",
        format_func=lambda name: TASKS[name].title if name in TASKS else name, persist_state="session",
        placeholder="Choose a format", help="Guessed from the file; choose another if the guess is wrong.",
    )  # fmt: skip
    keep_in_link(READER, chosen or "", unless=chosen in (usual, None))
    return chosen


def _readers(upload: Upload) -> list[str]:
    """The benchmarks whose format fits and, for a table of sentences, an experiment; else `pairs`, by its columns."""
    try:
        fitting = resources.read_file(upload.path, readers, upload.path, light=True)
    except PairlensError as error:  # it takes too long, or was stopped
        notices.error(error.message)
        return []
    texts: list[str] = []
    with suppress(PairlensError):
        source = Source(upload.path)
        table, columns = resources.experiment_table(source)
        texts = text_columns(table)
        reading(Chosen(upload.name, upload.path, None, Experiment(source, columns)))
        # A column of sentences, with one that says which are right, is how experiments are written.
        return [_EXPERIMENT, *fitting] if guess_columns(table).comparison else [*fitting, _EXPERIMENT]
    return fitting or (["pairs"] if texts else [])


def _benchmark(upload: Upload, name: str, in_experiment: dict[str, dict[str, str]]) -> Chosen | None:
    task = TASKS[name]
    with notices.explained_errors():
        read = choose_pair_columns(task, upload.path) if isinstance(task, Pairs) else task
        if read:
            return Chosen(
                upload.name, upload.path, read, links=links_to(task, datasets.UPLOAD, upload.id) | in_experiment
            )
    return None


def _in_experiment(upload: Upload) -> dict[str, dict[str, str]]:
    return {EXPERIMENTS: {"data": sentences.UPLOAD, "upload": upload.id}}


def _offer_to_remove(upload: Upload) -> None:
    with st.popover("Delete", icon=":material/delete:", key=f"delete_{upload.id}"):
        notices.write(
            "Delete $name from this machine? Links to it stop working; runs made from it are kept.", name=upload.name
        )
        if st.button("Delete the files", key=f"remove_{upload.id}"):
            with notices.explained_errors():
                uploads.remove(upload)
                st.query_params.pop(PARAMETER, None)
                st.rerun()

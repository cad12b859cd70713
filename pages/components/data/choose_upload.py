"""Files of the visitor: given here, kept on this machine, deleted when asked; and what reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.errors import PairlensError
from core.files.tables import PACKED
from core.runs.readers import readers
from core.store import uploads, visitors
from core.store.uploads import Upload
from core.studies.experiment.columns import guess_columns
from core.tasks import TASKS
from core.tasks.pairs import Pairs, text_columns
from pages.components.data.chosen import Chosen, reading
from pages.components.shared import datasets, notices, resources, sentences
from pages.components.shared.experiment import Experiment, Source
from pages.components.shared.given_files import take
from pages.components.shared.link import keep_in_link
from pages.components.shared.sentences import choose_pair_columns, choose_reading
from pages.components.shared.tables import PARAMETER, choose_row

_EXPERIMENT = "Your experiment"
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
}  # fmt: skip


def choose_upload() -> Chosen | None:
    """A file of the visitor's and what reads it; None, and what to do, if there is none or nothing reads it."""
    _take()
    found = uploads.kept()
    linked = uploads.find(st.query_params.get(PARAMETER, ""))
    if linked and linked.id not in [one.id for one in found]:  # somebody else's, who has passed on the link
        found = [linked, *found]
    if not found:
        notices.note("No files yet. What you upload stays on this machine until you delete it here.")
        return None
    sizes = [notices.counted(one.size, "byte") if one.size < 1_000 else notices.size(one.size) for one in found]
    rows = pd.DataFrame({"name": [one.name for one in found], "when": [one.when for one in found], "size": sizes})
    if any(whose := visitors.told_to_operator("uploads", [one.folder.name for one in found])):
        rows["Visitor"] = whose
    version = f"{len(found)}_{st.session_state.get(_TAKEN)}"
    names = [one.id for one in found]
    before = st.query_params.get(PARAMETER, names[0])
    upload = found[names.index(choose_row(rows, names, _COLUMNS, "Your files", version))]
    if upload.id != before:
        st.query_params.pop(READER, None)
    fitting = _readers(upload)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reader = _choose_reader(upload, fitting)
        if visitors.may_change("uploads", upload.folder.name):
            _offer_to_remove(upload)
    if reader is None:
        notices.warning("No format fits. Choose the one it should have to see what is wrong.")
        return None
    if reader == _EXPERIMENT:
        return _experiment(upload)
    return _benchmark(upload, reader, _in_experiment(upload) if _EXPERIMENT in fitting else {})


def _take() -> None:
    """Keep what was just given, and open it."""
    files = st.file_uploader(_LABEL, accept_multiple_files=True, key="given")
    given = [file.file_id for file in files]
    if not files or given == st.session_state.get(_TAKEN):
        return
    for one in take(files):
        st.session_state[_TAKEN] = given
        st.query_params[PARAMETER] = one.id


def _choose_reader(upload: Upload, fitting: Sequence[str]) -> str | None:
    """What reads it: guessed from what is in it, and the visitor's to correct; None if no format fits."""
    names = [*fitting, *(name for name in [*TASKS, _EXPERIMENT] if name not in fitting)]
    usual = fitting[0] if fitting else _table_of_texts(upload)
    asked = st.query_params.get(READER, usual)
    chosen = st.selectbox(
        "Format", names, index=names.index(asked) if asked in names else None, key=f"read_as_{upload.id}", width=300,
        format_func=lambda name: TASKS[name].title if name in TASKS else name, persist_state="session",
        placeholder="Choose a format", help="Guessed from the file; choose another if the guess is wrong.",
    )  # fmt: skip
    keep_in_link(READER, chosen or "", unless=chosen in (usual, None))
    return chosen


def _table_of_texts(upload: Upload) -> str | None:
    """The format whose columns can be named, for a table with sentences under unknown column names."""
    try:
        table, _ = resources.experiment_table(Source(upload.path))
    except PairlensError:
        return None
    return "pairs" if text_columns(table) else None


def _readers(upload: Upload) -> list[str]:
    """The benchmarks whose format fits and, for a table of sentences, an experiment."""
    try:
        fitting = resources.read_file(upload.path, readers, upload.path, light=True)
    except PairlensError as error:  # it takes too long, or was stopped
        notices.error(error.message)
        return []
    if not upload.path.is_file():
        return fitting
    try:
        source = Source(upload.path)
        table, columns = resources.experiment_table(source)
        reading(Chosen(upload.name, upload.path, experiment=Experiment(source, columns)))
    except PairlensError:
        return fitting
    # A column of sentences, with one that says which are right, is how experiments are written.
    return [_EXPERIMENT, *fitting] if guess_columns(table).comparison else [*fitting, _EXPERIMENT]


def _benchmark(upload: Upload, name: str, in_experiment: Mapping[str, str]) -> Chosen | None:
    task = TASKS[name]
    opened = {} if task.instead else {"task": name, "data": datasets.UPLOAD, datasets.FILE: upload.id}
    with notices.explained_errors():
        read = choose_pair_columns(task, upload.path) if isinstance(task, Pairs) else task
        if read:
            return Chosen(upload.name, upload.path, read, benchmark=opened, in_experiment=in_experiment)
    return None


def _experiment(upload: Upload) -> Chosen | None:
    with notices.explained_errors():
        source = choose_reading(upload.path)
        _, columns = resources.experiment_table(source)
        return Chosen(
            upload.name, upload.path, experiment=Experiment(source, columns), in_experiment=_in_experiment(upload)
        )  # fmt: skip
    return None


def _in_experiment(upload: Upload) -> dict[str, str]:
    return {"data": sentences.UPLOAD, "upload": upload.id}


def _offer_to_remove(upload: Upload) -> None:
    with st.popover("Delete", icon=":material/delete:", key=f"delete_{upload.id}"):
        notices.write(
            "Delete $name from this machine? Links to it stop working; runs made from it are kept.",
            name=upload.name,
        )
        if st.button("Delete the files", key=f"remove_{upload.id}"):
            with notices.explained_errors():
                uploads.remove(upload)
                st.query_params.pop(PARAMETER, None)
                st.rerun()

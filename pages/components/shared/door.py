"""Files dropped on the frame of any page: what they are is recognised, and their page is opened, filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.components.shared import notices
from pages.components.shared.rights import path_of, rights
from pairlens.errors import InputError
from pairlens.files import apart
from pairlens.files.tables import large
from pairlens.messages import Message
from pairlens.store import uploads

if TYPE_CHECKING:
    from pairlens.studies.opening import Opening

BEGIN = "begin_at_once"
"""In the session of a visitor who has just opened files: what models are asked about them begins without *Run*."""
_OPENED, _TAKEN, _REFUSED = "opened_by_door", "taken_by_door", "refused_by_door"
"""In a visitor's session; what is refused is not looked at again in every run of the page."""
_MOST = 3
"""Other things that files may be, of which a button each is shown."""
_LABEL = Message("Files that belong together, or a ZIP archive: Pairlens says what they are, and opens their page.")
_NOTHING = Message(
    "Nothing here reads {names}: expected a table of sentences, a benchmark, pairs with labels, a log or scores of "
    "another program. Data says why each format does not fit."
)


def offer_to_open(page: str, translate: Callable[[str], str]) -> None:
    """A button beside the title that takes files, or a path on this machine; those that nothing reads are named."""
    with st.popover(translate("Open files"), icon=":material/file_open:", key="door"):
        files = st.file_uploader(translate(_LABEL), accept_multiple_files=True, key="door_files")
        path = _named_path(translate) if rights().names_paths else None
        ids = [file.file_id for file in files]
        if path or (files and ids != st.session_state.get(_TAKEN)):
            with notices.explained_errors(translate), st.spinner(translate("Looking at the files …")):
                if not path and ids in (refused := st.session_state.setdefault(_REFUSED, [])):
                    raise InputError(refused[-1])
                try:
                    known = _openings(files, path)
                except InputError as error:
                    if not path:
                        st.session_state[_REFUSED] = [ids, error.message]
                    raise
                st.session_state[_TAKEN] = ids
                _open(known, page)


def _named_path(translate: Callable[[str], str]) -> Path | None:
    with st.form("door_named", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(translate("Or a file or folder on this machine, by its path"), key="door_path")
        is_opened = st.form_submit_button(translate("Open"), key="door_open")
    return path_of(typed, translate) if is_opened else None


def show_opened(page: str, translate: Callable[[str], str]) -> None:
    """On the page that was opened: what the files are, and what else they may be."""
    known: Sequence[Opening] = st.session_state.get(_OPENED, ())
    if not known or known[0].page != page:
        st.session_state.pop(BEGIN, None)
        return
    with st.container(horizontal=True, vertical_alignment="center", key="door_opened"):
        notices.text(translate(Message("Opened: {about}.", about=known[0].about)), "pl-quiet")
        for place, other in enumerate(known[1 : _MOST + 1]):
            others = [other, *(one for one in known if one is not other)]
            label = translate(Message("Or as {about}", about=notices.literal(_short(other))))
            if st.button(label, key=f"door_{place}", type="tertiary", help=other.about):
                _open(others, page)
        if st.button(translate("Hide"), key="door_hide", type="tertiary"):
            del st.session_state[_OPENED]
            st.rerun()


def _openings(files: Sequence[UploadedFile], path: Path | None) -> list[Opening]:
    from pairlens.studies.gathering import gathered, kept  # what reads any file, which no page waits for
    from pairlens.studies.opening import opened

    paths = gathered([path]) if path else kept([(file.name, file.getvalue()) for file in files])
    if known := opened(paths, path.name if path else files[0].name, _read):
        return known
    names = path.name if path else ", ".join(file.name for file in files)
    raise InputError(Message(_NOTHING, names=names))


def _read(reader: Callable[[Sequence[Path]], list[Any]], paths: Sequence[Path]) -> list[Any]:
    together = paths[0] if len(paths) == 1 else paths[0].parent
    if large(together):  # which may take long, or more memory than it should
        return apart.read(reader, paths, where=uploads.name_of(together))
    return reader(paths)


def _open(known: Sequence[Opening], page: str) -> None:
    st.session_state.update({_OPENED: known, BEGIN: True})
    link = known[0].query(uploads.identified)
    if known[0].page != page:
        st.switch_page(f"pages/{known[0].page}.py", query_params=link)
    for name, value in link.items():  # whose controls are not drawn yet
        try:
            st.query_params[name] = value
        except StreamlitAPIException:  # bound to a control, which takes it
            st.session_state[name] = value or []
    st.rerun()


def _short(opening: Opening) -> str:
    return opening.about.partition(": ")[2].partition(",")[0] or opening.about

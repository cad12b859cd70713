"""Files from a visitor, kept on this machine and named in the page's link: they are there again when it is opened."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.components.shared import notices
from pages.components.shared.link import keep_in_link
from pairlens.messages import Message, one_or_more
from pairlens.settings import settings
from pairlens.store import uploads
from pairlens.store.uploads import Upload

Translate = Callable[[str], str]
_BUTTON = '.KEY button p { font-size: 0; } .KEY button p::after { content: "WORD"; font-size: 1rem; }'
"""Streamlit has no other means to name the button in the page's language."""
_KEPT = "kept_files"
"""In the session: where the files of an uploader were kept, which are the same in every run of the page."""
_LIMIT = Message("At most {limit:,} MB per file.")


def given_files(label: str, key: str, translate: Translate = str) -> list[Path]:
    """Files from the visitor, each kept by itself and once; those of the link (`key`, `_files`) until taken out."""
    here = [one for file in _uploader(label, key, translate, several=True) for one in take([file], translate)]
    return _with_earlier(here, key, f"{key}_files", translate)


def given_file(
    label: str, key: str, parameter: str, *, several: bool = False, on_change: Callable[[], None] | None = None
) -> Path | None:
    """The file, or the folder of `several`, that the visitor gave last; else what the link has as `parameter`."""
    here = take(_uploader(label, key, str, several=several, on_change=on_change))
    return next(iter(_with_earlier(here, key, parameter, str, together=True)), None)


def named(ids: Sequence[str], translate: Translate = str) -> list[Upload]:
    """The uploads of a link, of those that are on this machine; how many are not is said."""
    known = {name: path for name in ids if (path := uploads.find(name))}
    if gone := [name for name in ids if name not in known]:
        absent = one_or_more(
            "{n:,} file of this link is not on this machine: upload it here.",
            "{n:,} files of this link are not on this machine: upload them here.",
            n=len(gone),
        )
        notices.error(translate(absent))
    return [known[name] for name in ids if name in known]


def take(files: Sequence[UploadedFile], translate: Translate = str) -> list[Upload]:
    """These files as one upload; none if there are none, or, with the reason, if they cannot be kept."""
    with notices.explained_errors(translate):
        if files:
            from pairlens.studies.gathering import keep  # and with it all formats, which no page waits for

            paths, ids = st.session_state.setdefault(_KEPT, {}), tuple(file.file_id for file in files)
            if not (known := [one for one in uploads.kept() if one.path == paths.get(ids)]):
                paths[ids] = keep([(file.name, file.getvalue()) for file in files])
                known = [one for one in uploads.kept() if one.path == paths[ids]]
            return known
    return []


def _uploader(
    label: str, key: str, translate: Translate, *, several: bool, on_change: Callable[[], None] | None = None
) -> list[UploadedFile]:
    with st.container(key=f"given_{key}", gap="xxsmall"):
        if (upload := translate("Upload")) != "Upload":
            css = _BUTTON.replace("KEY", f"st-key-given_{key}").replace("WORD", upload)
            st.html(f"<style>{css}</style>")
        received = st.file_uploader(
            label, accept_multiple_files=several, key=key, on_change=_note_change, args=(key, on_change)
        )
        notices.text(translate(Message(_LIMIT, limit=settings().max_upload_mb)), "pl-quiet")
    return received if isinstance(received, list) else [received] if received else []


def _with_earlier(
    here: Sequence[Upload], key: str, parameter: str, translate: Translate, *, together: bool = False
) -> list[Path]:
    """What the link has, unless what was given `together` replaces it, and what is in the uploader now."""
    ids = [one.id for one in here]
    out = st.session_state.get(f"{key}_given", ()) if st.session_state.pop(f"{key}_changed", False) else ()
    st.session_state[f"{key}_given"] = ids
    # Those that were just taken out of the uploader are no files of an earlier visit.
    remaining = [name for name in st.query_params.get_all(parameter) if name not in (*out, *ids)]
    remaining = [] if together and ids else remaining
    keep_in_link(parameter, [*remaining, *ids], unless=not (remaining or ids))
    earlier = named(remaining, translate)
    if earlier:
        with st.container(horizontal=True, vertical_alignment="center"):
            names = ", ".join(one.name for one in earlier)
            notices.text(translate(Message("Uploaded earlier: {names}", names=names)), "pl-quiet")
            out = partial(st.query_params.pop, parameter, None)
            st.button(translate("Take out"), key=f"without_{key}", type="tertiary", on_click=out)
    return [*dict.fromkeys(path for one in (*earlier, *here) for path in ([one.path] if together else one.files))]


def _note_change(key: str, then: Callable[[], None] | None) -> None:
    """Callback: the visitor gave a file or took one out; a page that was only left and opened again says nothing."""
    st.session_state[f"{key}_changed"] = True
    if then:
        then()

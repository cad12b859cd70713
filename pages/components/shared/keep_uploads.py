"""Uploaded files, kept on this machine under a name that depends on what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.store import uploads
from pages.components.shared import notices


def keep_uploads(files: Iterable[UploadedFile]) -> Path | None:
    """The file, or the folder of several; None, and the reason, if they cannot be kept."""
    with notices.explained_errors():
        return uploads.keep([(file.name, file.getvalue()) for file in files])
    return None

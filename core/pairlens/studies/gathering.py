"""Files that are opened together, as copies in an upload: those of a folder or of a ZIP archive."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from pairlens.errors import InputError
from pairlens.evaluation.archive import INDEX, SUFFIX
from pairlens.files import apart
from pairlens.files.tables import ending, existing, explained, label
from pairlens.messages import Message
from pairlens.scoring.checkpoints import holds_checkpoints
from pairlens.settings import settings
from pairlens.store import uploads

_DATA = (
    ".csv", ".dat", ".eval", ".gold", ".json", ".jsonl", ".ndjson", ".parquet", ".pred", ".raw-pred", ".tab", ".text",
    ".tsv", ".txt", ".xlsx", ".xml", ".zip",
)  # fmt: skip
"""Endings of what is taken out of folders and archives, in which there are programs and pictures, too."""
_DOCUMENTS = ("citation.txt", "licence.txt", "license.txt", "readme.txt", "requirements.txt")
_MOST_FILES, _MEMBERS = 500, ".members"


def keep(files: Sequence[tuple[str, bytes]]) -> Path:
    """As `pairlens.store.uploads.keep`; of a ZIP archive that is no run of Pairlens the files in it are kept.

    InputError also for an archive that is damaged or holds too much.
    """
    return uploads.keep([member for file in files for member in _unpacked(*file)])


def kept(files: Sequence[tuple[str, bytes]]) -> list[Path]:
    """Copies of files, by name and content, in an upload. Errors as of `keep`."""
    upload = keep(files)
    return sorted(upload.iterdir()) if upload.is_dir() else [upload]


def gathered(places: Sequence[Path]) -> list[Path]:
    """Copies of the files on this machine that are at these places; a folder with checkpoints stays where it is.

    InputError for what is not there, a folder without data, and a file that is larger than an upload may be.
    """
    if len(places) == 1 and places[0].is_dir() and holds_checkpoints(str(places[0])):
        return [*places]
    files = list[Path]()
    for place in places:
        files += _data(place, label(place)) if place.is_dir() else [existing(place)]
    return copied(files)


def copied(files: Sequence[Path]) -> list[Path]:
    """Copies of files whose folders' names come before those that several have."""
    return kept(_contents(files))


def _unpacked(name: str, content: bytes) -> list[tuple[str, bytes]]:
    if name.lower().endswith(".zip") and not name.endswith(SUFFIX):
        with TemporaryDirectory() as folder:
            archive = Path(folder, "archive")
            archive.write_bytes(content)
            archive.with_suffix(_MEMBERS).mkdir()
            if apart.read(unzip, archive, name, where=name):
                return _contents(_data(archive.with_suffix(_MEMBERS), name))
    return [(name, content)]


def unzip(archive: Path, name: str) -> bool:
    """Unpack a ZIP archive beside it, in a process of its own; False for a run of Pairlens, which stays as it is."""
    limit = settings().max_upload_mb
    with explained(Path(name), _unusable), ZipFile(archive) as zipped:
        if INDEX in zipped.namelist():
            return False
        if sum(member.file_size for member in zipped.infolist()) > limit * 1_000_000:
            too_much = Message("unpacks to more than {limit} MB, the limit for uploads (max_upload_mb)", limit=limit)
            raise InputError(too_much, name)
        zipped.extractall(archive.with_suffix(_MEMBERS))
    return True


def _unusable(_: Exception) -> Message:
    return Message("cannot be unpacked: it is damaged, or locked with a password.")


def _data(folder: Path, where: str) -> list[Path]:
    """The files with data in a folder; if it has texts at the most, in all below. InputError for none or too many."""
    files = sorted(filter(_is_data, folder.iterdir()))
    if {*map(ending, files)} <= {".txt"}:
        files = []
        for place, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if name[0] not in "._")
            files += filter(_is_data, (Path(place, name) for name in sorted(names)))
            if len(files) > _MOST_FILES:
                break
    if len(files) > _MOST_FILES:
        raise InputError(Message("holds more than {n:,} files", n=_MOST_FILES), where)
    if not files:
        raise InputError(Message("holds no files with data"), where)
    return files


def _is_data(path: Path) -> bool:
    """Whether a file may be data by its name, and is not hidden or empty."""
    name = path.name.lower()
    named = ending(path) in _DATA and name not in _DOCUMENTS and not name.startswith(".")
    return named and path.is_file() and path.stat().st_size > 0


def _contents(paths: Sequence[Path]) -> list[tuple[str, bytes]]:
    uploads.check_sizes({path.name: path.stat().st_size for path in paths})
    n_named = Counter(path.name for path in paths)
    names = [path.name if n_named[path.name] == 1 else f"{path.parent.name}-{path.name}" for path in paths]
    return [(name, path.read_bytes()) for name, path in zip(names, paths, strict=True)]

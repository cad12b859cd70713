"""Visitors' files, kept under a keyed hash of their contents: the same files are the same data set, and nobody who
knows a file can tell whether it is here.
"""

import hashlib
import hmac
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pairlens.errors import InputError, StoreError
from pairlens.messages import Message
from pairlens.settings import settings
from pairlens.store import visitors
from pairlens.store.files import replacing, secret, system_errors

_FOLDER = re.compile(r"[0-9a-f]{32}")
_LONGEST_NAME = 200
_FEW = 3
"""Files of an upload that are named."""
_RESERVE = 500_000_000
"""Bytes that uploads leave free, so that results can be stored."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Files uploaded together, and the last time they were; `path` is the file, or the folder of several."""

    path: Path
    files: tuple[Path, ...]
    size: int
    when: datetime

    @property
    def id(self) -> str:
        """`path` below the folder of uploads, for links."""
        return id_of(self.path)

    @property
    def folder(self) -> Path:
        """Where the files are, whose name is what visitors own (`pairlens.store.visitors`)."""
        return self.files[0].parent

    @property
    def name(self) -> str:
        """The file's name, or those of the first files and how many there are."""
        first, n_more = ", ".join(file.name for file in self.files[:_FEW]), len(self.files) - _FEW
        return Message("{files} and {n:,} more", files=first, n=n_more) if n_more > 0 else first


def name_of(path: Path) -> str:
    """The name of a file; of a folder in which files are kept together, theirs, as far as they are few."""
    is_kept = path.is_dir() and path.parent.resolve() == settings().uploads.resolve()
    return _uploads([path])[0].name if is_kept else path.name


def id_of(path: Path) -> str:
    """What `find` takes for a file or folder that `keep` returned."""
    return path.relative_to(settings().uploads).as_posix()


def check_sizes(sizes: Mapping[str, int]) -> None:
    """InputError for the first file, by its name, with no bytes or with more than an upload may have."""
    limit = settings().max_upload_mb
    for name, size in sizes.items():
        if not size:
            raise InputError(Message("the file is empty"), name)
        if size > limit * 1_000_000:
            too_large = Message("larger than {limit} MB, the limit for uploads (max_upload_mb)", limit=limit)
            raise InputError(too_large, name)


def keep(files: Sequence[tuple[str, bytes]]) -> Path:
    """Store files by name and content; returns the file if it is the only one, else the folder.

    InputError for an empty or too large file and for two of one name, StoreError if the disk is full.
    """
    last = [name.replace("\\", "/").rpartition("/")[2].lstrip(".") for name, _ in files]  # of paths from any system
    names = ["".join(sign if sign.isprintable() else "_" for sign in name) or "file" for name in last]
    named = sorted(zip(names, (content for _, content in files), strict=True))
    check_sizes({name: len(content) for name, content in named})
    for name, _ in named:
        if len(name.encode()) > _LONGEST_NAME:
            too_long = Message("the name has more than {limit} bytes: shorten it", limit=_LONGEST_NAME)
            raise InputError(too_long, f"{name[:40]}…")
        if names.count(name) > 1:
            raise InputError(Message("two files have this name: rename one of them"), name)
    state = hmac.new(secret(settings().home).encode(), digestmod=hashlib.sha256)
    for name, content in named:
        state.update(f"{name}\0{len(content)}\0".encode())
        state.update(content)
    folder = settings().uploads / state.hexdigest()[:32]
    if shutil.disk_usage(settings().home).free < _RESERVE + sum(len(content) for _, content in named):
        raise StoreError(Message("The disk is nearly full: files can be uploaded once there is room again."))
    new = not folder.exists()
    try:
        visitors.claim("uploads", folder.name, new=new)
        for name, content in named:
            with replacing(folder / name) as temporary:
                temporary.write_bytes(content)
    except StoreError:
        if new:
            visitors.forget("uploads", folder.name)
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return folder / names[0] if len(names) == 1 else folder


def identified(path: Path) -> str:
    """The id of a kept folder, or of a file, which pages that take files one by one know by itself."""
    if path.is_dir() or len([*path.parent.iterdir()]) == 1:
        return id_of(path)
    return id_of(keep([(path.name, path.read_bytes())]))


def find(identifier: str) -> Upload | None:
    """The upload that `Upload.id`, which cannot be guessed, names, whoever asks; None if it was not uploaded here."""
    folder = settings().uploads / identifier.partition("/")[0]
    return next((upload for upload in _uploads([folder]) if upload.id == identifier), None)


def kept() -> list[Upload]:
    """The uploads on this machine, on a shared dashboard only one's own, newest first."""
    folders = {folder.name: folder for folder in settings().uploads.glob("*")}
    uploads = _uploads([folders[name] for name in visitors.listed("uploads", folders)])
    return sorted(uploads, key=lambda one: one.when, reverse=True)


def remove(upload: Upload) -> None:
    """Delete these files, or the claim where others uploaded them too. StoreError if they are somebody else's."""
    if visitors.give_up("uploads", upload.folder.name):
        with system_errors(upload.folder, "deleted"):
            shutil.rmtree(upload.folder)


def _uploads(folders: Iterable[Path]) -> list[Upload]:
    uploads = []
    for folder in (folder for folder in folders if _FOLDER.fullmatch(folder.name) and folder.is_dir()):
        files = tuple(sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")))
        if files:
            states = [file.stat() for file in files]
            when = datetime.fromtimestamp(max(state.st_mtime for state in states)).astimezone()
            path = files[0] if len(files) == 1 else folder
            uploads.append(Upload(path, files, sum(state.st_size for state in states), when))
    return uploads

"""The home folder as one file, and back: results, uploads and trained models, not what can be made or fetched again.

    backup.json        format, version of Pairlens, and the sha256 of every other file
    <path in the home folder>

A file is named before those that it names: what is added while a backup is made is then missing in it, never half
there. `restore` writes them in the opposite order, so that a process killed at any moment leaves nothing half either.
"""

import hashlib
import json
import os
import re
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from pairlens import __version__
from pairlens.errors import InputError, StoreError
from pairlens.messages import counted
from pairlens.settings import settings
from pairlens.store.files import replacing, sha256
from pairlens.store.store import Store, maintenance_lock

FORMAT = 1
"""Version of the file's layout; newer ones are refused."""
INDEX = "backup.json"
LEFT_OUT = ("cache", "datasets", "jobs", "plans")
"""Folders that can be made or fetched again. The scores of a job are in the store."""
_PASSING = re.compile(r".*\.lock|\.\d+-.*|results\.duckdb")
"""Locks, files that are being written, and tables that are made from the others."""
_HELD = re.compile(
    r"\.secret|token_budgets\.json|(models|reports|scorecard|store)/.+|classes/[^/]+/class\.json"
    r"|uploads/[0-9a-f]+/[^/]+|visitors/\w+/(runs|uploads)/[^/]+"
)
_LONGEST_NAME = 255
_OF_TABLES = "store/results.json"
"""What is stated of these tables, as often made again."""
_LARGEST_INDEX = 256 << 20
_UNREADABLE = (zipfile.BadZipFile, EOFError, OSError, RuntimeError, ValueError, NotImplementedError)
"""What reading from a damaged archive may raise; RuntimeError includes too deep a recursion."""
_CHUNK = 1 << 20
_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was written, read again and found whole. `left_out`: links, and files that are not ours."""

    files: int
    size: int
    left_out: tuple[Path, ...]


def backup(store: Store, destination: Path) -> Backup:
    """Write everything in the home folder to one file; `gc` and `compact` wait. InputError if the file exists or lies
    in the home folder, StoreError if it cannot be written.
    """
    home = settings().home.resolve()
    if destination.exists():
        raise InputError("it exists already; name another file or delete it first", str(destination))
    if destination.resolve().is_relative_to(home):
        raise InputError("it would lie in the folder that it is a backup of; name a place outside", str(destination))
    left_out: list[Path] = []
    with maintenance_lock(store), replacing(destination) as temporary:
        with zipfile.ZipFile(temporary, "w", zipfile.ZIP_STORED) as whole:
            digests: dict[str, str] = {}
            for path in _in_order(home, left_out):
                digests |= _add(whole, home, path)
            about = {"format": FORMAT, "pairlens": __version__, "sha256": digests}
            whole.writestr(INDEX, json.dumps(about, indent=1))
        size = temporary.stat().st_size
        with zipfile.ZipFile(temporary) as whole:
            _checked(whole, destination.name, size)
    return Backup(len(digests), size, tuple(left_out))


def restore(store: Store, source: Path) -> tuple[int, int]:
    """Write the files of a backup that are not in the home folder; returns how many, and how many were there.

    InputError if the file is damaged or no backup, StoreError if the home folder has other contents or the disk is
    full.
    """
    home = settings().home
    try:
        opened = zipfile.ZipFile(source)
    except FileNotFoundError:
        raise InputError("there is no such file", str(source)) from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, OSError, ValueError):
        raise InputError("is no backup made by Pairlens, or was cut off on its way", source.name) from None
    with opened as whole, maintenance_lock(store):
        digests = _checked(whole, source.name, source.stat().st_size)
        there = {name for name in digests if (home / name).exists()}
        same = {name for name in there if (home / name).is_file() and sha256(home / name) == digests[name]}
        if other := sorted(there - same):
            raise StoreError(
                f"{home} has other contents: {counted(len(other), 'file')} of the backup differ there, for example "
                f"{other[0]}. Set PAIRLENS_HOME to an empty folder."
            )
        missing = [name for name in reversed(digests) if name not in there]
        for folder in {home / parent for name in missing for parent in PurePosixPath(name).parents}:
            if not folder.resolve().is_relative_to(home.resolve()):
                raise StoreError(f"{folder} is a link that leads out of {home}: remove it first.")
            if folder.exists() and not folder.is_dir():
                raise StoreError(f"{folder} is a file here, and a folder in the backup: remove it first.")
        for name in missing:
            with replacing(home / name) as temporary, temporary.open("wb") as target, whole.open(name) as content:
                shutil.copyfileobj(content, target, _CHUNK)
    return len(missing), len(there)


def _checked(whole: zipfile.ZipFile, label: str, size: int) -> dict[str, str]:
    """Of a backup, untrusted bytes, the sha256 of each file by name, in their order there; InputError for anything
    wrong.

    Names stay inside the home folder, and nothing is compressed, so that nothing unpacks to more than the file's
    size.
    """
    entries = whole.infolist()
    names = [entry.filename for entry in entries]
    stranger = "is no backup made by Pairlens"
    if INDEX not in names:
        raise InputError(stranger, label)
    if any(entry.compress_type != zipfile.ZIP_STORED or entry.file_size > entry.compress_size for entry in entries):
        raise InputError(f"{stranger}: it holds compressed files", label)
    if sum(entry.file_size for entry in entries) > size:
        raise InputError(f"{stranger}: its files overlap", label)
    if whole.getinfo(INDEX).file_size > _LARGEST_INDEX:
        raise InputError(f"{stranger}: {INDEX} is too large", label)
    version, digests = None, None
    with suppress(*_UNREADABLE):
        about = json.loads(whole.read(INDEX))
        version, digests = (about.get("format"), about.get("sha256")) if isinstance(about, dict) else (None, None)
    if isinstance(version, int) and version > FORMAT:
        fault = f"was written by a newer Pairlens (format {version}, this one reads {FORMAT}): update Pairlens"
        raise InputError(fault, label)
    if version != FORMAT or not isinstance(digests, dict):
        raise InputError(f"{stranger}: {INDEX} says something else", label)
    if len({*names}) < len(names) or {*names} != {INDEX, *digests}:
        raise InputError("does not hold exactly the files that it lists: it was damaged or changed", label)
    if strange := [name for name in digests if not _may_restore(name)]:
        raise InputError(f"holds {strange[0][:80]!r}, which no backup has", label)
    folders = {str(folder) for name in digests for folder in PurePosixPath(name).parents}
    if both := folders & {*digests}:
        raise InputError(f"holds {min(both)[:80]!r} as a file and as a folder", label)
    for name in (name for name in names if name != INDEX):
        state = ""
        with suppress(*_UNREADABLE), whole.open(name) as content:
            state = hashlib.file_digest(content, "sha256").hexdigest()  # type: ignore[arg-type]
        if state != digests[name]:
            raise InputError(f"'{name[:80]}' inside is not what was saved: the file was damaged or changed", label)
    return {name: digests[name] for name in names if name != INDEX}


def _may_restore(name: str) -> bool:
    """Whether a backup has a file of this name: a plain path to something that Pairlens keeps."""
    path = PurePosixPath(name)
    plain = str(path) == name and ".." not in path.parts and "\\" not in name and name.isprintable()
    short = all(len(part.encode()) <= _LONGEST_NAME for part in path.parts)
    return plain and short and _HELD.fullmatch(name) is not None and not _PASSING.fullmatch(path.name)


def _in_order(home: Path, left_out: list[Path]) -> Iterator[Path]:
    """The folders and single files of a backup, each before what it names; visitors' marks come last."""
    sweeps, runs, scores = (home / "store" / name for name in ("sweeps", "runs", "scores"))
    yield from _files(sweeps, home, left_out)
    yield from sorted({path.parent for path in _files(runs, home, left_out)})
    own_turn = (sweeps, runs, scores, home / "visitors")
    yield from (path for path in _files(home, home, left_out) if not any(map(path.is_relative_to, own_turn)))
    yield from [path for path in _files(scores, home, []) if path.suffix == ".json"]
    yield from [path for path in _files(scores, home, left_out) if path.suffix != ".json"]
    yield from _files(home / "visitors", home, left_out)


def _files(folder: Path, home: Path, left_out: list[Path]) -> Iterator[Path]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if _PASSING.fullmatch(path.name) or path.relative_to(home).as_posix() in (*LEFT_OUT, _OF_TABLES):
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path, home, left_out)
        elif path.is_file() and not path.is_symlink() and _may_restore(path.relative_to(home).as_posix()):
            yield path
        elif path.is_symlink() or path.exists():
            left_out.append(path)


def _add(whole: zipfile.ZipFile, home: Path, path: Path) -> dict[str, str]:
    """Copy a file, or a run's folder as it was at one moment, unless it is gone; returns the sha256 by name."""
    digests = {}
    with ExitStack() as stack:
        opened = _at_one_moment(path, home, stack) if path.is_dir() else _opened([path], stack)
        for one, content in opened.items():
            name, state = one.relative_to(home).as_posix(), hashlib.sha256()
            with whole.open(zipfile.ZipInfo(name), "w", force_zip64=True) as target:
                while chunk := content.read(_CHUNK):
                    state.update(chunk)
                    target.write(chunk)
            digests[name] = state.hexdigest()
    return digests


def _at_one_moment(folder: Path, home: Path, stack: ExitStack) -> dict[Path, IO[bytes]]:
    """The files of a run, the manifest first, opened while all were in place: no name is another file by now."""
    for _ in range(_ATTEMPTS):
        opened = _opened(_files(folder, home, []), stack)
        inodes = {path: os.fstat(content.fileno()).st_ino for path, content in opened.items()}
        with suppress(FileNotFoundError):
            if {path: path.stat().st_ino for path in _files(folder, home, [])} == inodes:
                return dict(sorted(opened.items(), key=lambda one: one[0].name != "manifest.json"))
    raise StoreError(f"{folder} changes faster than it can be read: try again in a moment.")


def _opened(paths: Iterable[Path], stack: ExitStack) -> dict[Path, IO[bytes]]:
    """These files, without those that are gone, open until the end of the stack."""
    opened: dict[Path, IO[bytes]] = {}
    for path in paths:
        with suppress(FileNotFoundError):
            opened[path] = stack.enter_context(path.open("rb"))
    return opened

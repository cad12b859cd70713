"""The public data sets of `data/datasets.toml`: licences and files, where they are, and how to get the others.

A fetched set has a folder of its name below `settings().datasets`, laid out as in its repository; a set that the user
has to bring may be put there too, or anywhere else. A mirror (`PAIRLENS_MIRROR`) is a folder of the user or of an
institution with the files of a set in the same layout, plain or as `.gz`.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import logging
import re
import shutil
import tomllib
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from pairlens.errors import InputError, PolicyError, StoreError, unknown
from pairlens.files.locks import locked
from pairlens.places import bundled, program
from pairlens.settings import settings

if TYPE_CHECKING:
    from pooch import Pooch


CATALOGUE = bundled("datasets.toml")
FILES = bundled("datasets")
"""One table per set that can be fetched: path, bytes and sha256 of each file."""
NOT_STATED = "not stated"
"""The licence of a set whose authors do not state one."""
_NAME = re.compile(r"[a-z0-9_]+")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class File:
    """A file of a data set: its size in bytes, and its sha256 in hex."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A public data set.

    `task` is the task that reads it, empty if none does, and `reads` the path below the set's folder that it is
    given. `items` is the number of items as text, `licence` an SPDX identifier where there is one, `terms` what the
    licence asks for. `address` is the page for people, `source` the address below which the `files` are, by path;
    both are empty where the user has to bring a copy: `bring` says how and why. `mirror` is its folder in a mirror.
    """

    name: str
    title: str
    about: str
    languages: tuple[str, ...]
    items: str
    licence: str
    terms: str
    citation: str
    address: str
    task: str = ""
    reads: str = ""
    source: str = ""
    mirror: str = ""
    bring: str = ""
    files: Mapping[str, File] = field(default_factory=dict)

    @property
    def fetchable(self) -> bool:
        return bool(self.files)

    @property
    def size_bytes(self) -> int:
        """The total size of its files; 0 if they are not known."""
        return sum(file.size for file in self.files.values())

    @property
    def needs_consent(self) -> bool:
        """Whether its user must state the right to use it, because there is no stated licence."""
        return self.licence == NOT_STATED


@cache
def catalogue() -> Mapping[str, Dataset]:
    """The known data sets by name, in the order of the file; InputError names an invalid entry."""
    entries = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return MappingProxyType({name: _dataset(name, entry) for name, entry in entries.items()})


def named(name: str) -> Dataset:
    """The data set of that name; PolicyError, with the nearest, if there is none."""
    if name not in catalogue():
        raise PolicyError(unknown("data set", name, catalogue()))
    return catalogue()[name]


def of_task(task: str) -> tuple[Dataset, ...]:
    """The data sets that a task reads, its main one first."""
    return tuple(dataset for dataset in catalogue().values() if dataset.task == task)


def _dataset(name: str, entry: dict[str, Any]) -> Dataset:
    where = f"{CATALOGUE.name}, {name}"
    if not _NAME.fullmatch(name):
        raise InputError("a name has small letters, digits and underscores only", where)
    repository, commit = (entry.pop(key, "") for key in ("repository", "commit"))
    if repository:
        entry["address"] = f"https://github.com/{repository}/tree/{commit}"
        entry["source"] = f"https://raw.githubusercontent.com/{repository}/{commit}/"
        entry["files"] = read_files(FILES / f"{name}.csv")
    languages = tuple(entry.pop("languages", ()))
    try:
        return Dataset(name, languages=languages, mirror=entry.pop("mirror", name), **entry)
    except TypeError as error:
        raise InputError(f"a field is missing or not known ({error})", where) from None


def read_files(table: Path) -> Mapping[str, File]:
    """The files of a data set by path; InputError, with the row, for a path that could leave its folder."""
    files = {}
    with table.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=1):
            path = row["path"]
            parts = path.split("/")
            if not all(parts) or "\\" in path or ":" in path or any(part.startswith(".") for part in parts):
                raise InputError(f"'{path}' is no path below a folder", f"{table.name}, row {number}")
            if not (row["bytes"].isdecimal() and _SHA256.fullmatch(row["sha256"])):
                raise InputError("expected a number of bytes and a sha256 in hex", f"{table.name}, row {number}")
            files[path] = File(int(row["bytes"]), row["sha256"])
    return MappingProxyType(files)


log = logging.getLogger(__name__)
State = Literal["here", "mirror", "absent", "bring"]


def state(dataset: Dataset) -> State:
    """`here`; `mirror` if the mirror folder has all of its files; `bring` if only its user can; else `absent`."""
    if path_of(dataset):
        return "here"
    if not dataset.fetchable:
        return "bring"
    return "mirror" if all(mirrored(dataset, path) for path in dataset.files) else "absent"


def path_of(dataset: Dataset) -> Path | None:
    """The file or folder that the set's task reads, if the set is here; of fetched ones every byte is checked."""
    folder = folder_of(dataset)
    if dataset.fetchable:
        whole = all(_is(folder / path, file) for path, file in dataset.files.items())
    else:
        whole = folder.is_dir() and any(not file.name.startswith(".") for file in folder.iterdir())
    return folder / dataset.reads if whole else None


def folder_of(dataset: Dataset) -> Path:
    """The folder of the fetched set, where its user may also put a copy."""
    return settings().datasets / dataset.name


def unfinished(dataset: Dataset) -> Path:
    """The folder in which its files are gathered until all are there."""
    return settings().datasets / f".{dataset.name}"


def mirrored(dataset: Dataset, path: str) -> Path | None:
    """A file of the set in the mirror folder, as it is or as `.gz`; None if it is not there."""
    root = settings().mirror
    if root is None:
        return None
    file = root.expanduser() / dataset.mirror / path
    return next((copy for copy in (file, file.with_name(f"{file.name}.gz")) if copy.is_file()), None)


def mirroring(dataset: Dataset) -> str:
    """How a mirror folder would give the set; names the first file that one lacks."""
    if (root := settings().mirror) is None:
        return f"set PAIRLENS_MIRROR to a folder with its files in {dataset.mirror}/, plain or as .gz"
    lacking = [path for path in dataset.files if not mirrored(dataset, path)]
    more = f" and {len(lacking) - 1:,} more of {len(dataset.files):,} files" if len(lacking) > 1 else ""
    folder = root.expanduser() / dataset.mirror
    return f"add {lacking[0]}{more} to the mirror folder {folder}, where PAIRLENS_MIRROR looks"


def located(path: Path) -> Path:
    """The path itself, or, if there is none, that of the data set of this name; InputError if it is not here."""
    dataset = catalogue().get(str(path))
    if dataset is None or path.exists():
        return path
    if local := path_of(dataset):
        return local
    todo = f"{program()} data get {dataset.name}" if dataset.fetchable else dataset.bring
    raise InputError(f"this data set is not here: {todo}", dataset.name)


def name_of(path: Path) -> str:
    """The name of the fetched data set whose task reads this path; empty for any other path."""
    root = settings().datasets.resolve()
    below = path.resolve()
    if not below.is_relative_to(root):
        return ""
    dataset = catalogue().get(below.relative_to(root).parts[0]) if below != root else None
    return dataset.name if dataset and below == root / dataset.name / dataset.reads else ""


def remove(dataset: Dataset) -> None:
    """Delete the fetched files of a set; InputError if its user brought it, StoreError if that fails."""
    folders = [folder for folder in (folder_of(dataset), unfinished(dataset)) if folder.exists()]
    if folders and not dataset.fetchable:
        raise InputError("this copy is yours and is not on the network: delete the folder yourself", str(folders[0]))
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"{folder} cannot be deleted: {error.strerror or error}.") from error


def _is(path: Path, file: File) -> bool:
    try:
        state = path.stat()
        return state.st_size == file.size and _intact(path, file.sha256, state.st_mtime_ns, state.st_ino)
    except OSError:
        return False


@lru_cache(maxsize=4096)
def _intact(path: Path, expected: str, _time: int, _inode: int) -> bool:
    """Whether a file has this sha256; read again in this process when the file changes."""
    with path.open("rb") as stream:
        intact = hashlib.file_digest(stream, "sha256").hexdigest() == expected
    if not intact:
        log.warning("%s is damaged or changed: it is fetched again when its data set is asked for.", path)
    return intact


Progress = Callable[[int, int], None]
"""Called with the number of bytes that are here, and the total."""

_CHUNK = 1 << 16
_SECONDS = (5.0, 30.0)
"""How long a server may take to accept a connection, and to send the next bytes."""


def get(dataset: Dataset, progress: Progress | None = None, *, accepted: bool = False) -> Path:
    """The file or folder that the set's task reads, fetched where it is missing.

    Complete files are kept when fetching stops, and are not fetched again. `accepted`: the user states the right to
    use a set without a stated licence. Raises PolicyError if that is needed; InputError if only the user can bring
    the set, or a file cannot be fetched or differs from the catalogue's; StoreError if it cannot be written. Each
    message says what to do.
    """
    if path := path_of(dataset):
        return path
    if not dataset.fetchable:
        raise InputError(
            f"Pairlens does not fetch this set ({dataset.address}). {dataset.bring} Then put it into "
            f"{folder_of(dataset)}, or give its path where data are asked for.",
            dataset.title,
        )
    if dataset.needs_consent and not accepted:
        raise PolicyError(
            f"{dataset.title}: no licence is stated. {dataset.terms} If you have the right to use it, say so: "
            f"`data get {dataset.name} --accept`, or tick the box on the page."
        )
    if settings().offline and state(dataset) == "absent":
        raise InputError(f"Pairlens is offline (PAIRLENS_OFFLINE is set). {_instead(dataset)}", dataset.title)
    with _alone(dataset):
        # Another process may have got it while this one waited.
        return path_of(dataset) or _gather(dataset, progress or (lambda _done, _total: None))


@contextmanager
def _alone(dataset: Dataset) -> Iterator[None]:
    """Lock this set against other processes; errors of the disk become StoreError."""
    folder = settings().datasets
    busy = StoreError(f"{dataset.title} is being fetched by another process.")
    try:
        with locked(folder / f".{dataset.name}.lock", -1, busy):
            yield
    except OSError as error:
        raise StoreError(
            f"{dataset.title} cannot be written to {folder}: {error.strerror or error}. PAIRLENS_HOME names another "
            "place."
        ) from error


def _gather(dataset: Dataset, progress: Progress) -> Path:
    """Gather all files beside the set's folder, then rename them to it."""
    import pooch

    part, folder = unfinished(dataset), folder_of(dataset)
    if folder.exists():  # files of it were lost or changed: the others are kept
        shutil.rmtree(part, ignore_errors=True)
        folder.rename(part)
    pooch.get_logger().setLevel("WARNING")
    hashes = {path: f"sha256:{file.sha256}" for path, file in dataset.files.items()}
    fetcher = pooch.create(path=part, base_url=dataset.source, registry=hashes)
    done = 0
    for path, file in dataset.files.items():
        if copy := mirrored(dataset, path):
            _take(fetcher, path, copy, file.size)
        else:
            _download(fetcher, dataset, path, _watch(file, done, dataset.size_bytes, progress))
        done += file.size
        progress(done, dataset.size_bytes)
    for left in part.rglob("*"):
        if left.is_file() and left.relative_to(part).as_posix() not in dataset.files:
            left.unlink()
    part.rename(folder)
    return folder / dataset.reads


def _take(fetcher: Pooch, path: str, copy: Path, size: int) -> None:
    """A file of the mirror; InputError if it is damaged or not the catalogue's."""
    try:
        fetcher.fetch(path, downloader=partial(_copy, copy, size))
    except ValueError:  # of pooch, for a sha256 that is not the expected one
        reason = "this is not the file of the catalogue (its sha256 is another): put that one into the mirror folder"
        raise InputError(reason, str(copy)) from None


def _download(fetcher: Pooch, dataset: Dataset, path: str, watch: SimpleNamespace) -> None:
    """A file from the network; InputError, with what to do, if that fails or it is not the catalogue's."""
    from pooch import HTTPDownloader
    from requests import HTTPError, RequestException
    from requests.exceptions import ChunkedEncodingError

    host = urlsplit(dataset.source).hostname
    try:
        fetcher.fetch(path, downloader=HTTPDownloader(progressbar=watch, chunk_size=_CHUNK, timeout=_SECONDS))
    except HTTPError as error:
        problem = f"{host} does not give {path}: {error}."
    except ChunkedEncodingError:
        problem = f"The connection to {host} broke in {path}; files that came whole are kept."
    except RequestException:
        problem = f"{host} cannot be reached."
    except ValueError:  # of pooch, for a sha256 that is not the expected one
        problem = f"{path}, as {host} sent it, is not the file of the catalogue: its sha256 is another."
    else:
        return
    raise InputError(f"{problem} {_instead(dataset)}", dataset.title)


def _instead(dataset: Dataset) -> str:
    """What a user can do where a set cannot be fetched."""
    return f"Ask again later; or {mirroring(dataset)}; or give the path of a copy of your own of {dataset.address}."


def _watch(file: File, before: int, whole: int, progress: Progress) -> SimpleNamespace:
    """A progress bar for pooch that reports bytes of the complete set.

    Its reset is ignored: pooch resets before its last update, which counts the bytes as sent, often compressed.
    """
    done = 0

    def update(n: int) -> None:
        nonlocal done
        done = min(done + n, file.size)
        progress(before + done, whole)

    return SimpleNamespace(total=0, update=update, reset=lambda: None, close=lambda: None)


def _copy(file: Path, size: int, _url: str, output_file: str, _pooch: Pooch) -> None:
    """A downloader for pooch that copies a file of the mirror, unpacked, up to one byte more than its size."""
    reading = gzip.open if file.suffix == ".gz" else open
    try:
        with reading(file, "rb") as stream:
            content = stream.read(size + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"this file of the mirror folder cannot be read: {error}", str(file)) from error
    Path(output_file).write_bytes(content)

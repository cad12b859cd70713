"""Getting a data set: file by file, checked by sha256, from the mirror folder or the network; whole or not at all."""

from __future__ import annotations

import gzip
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from core.errors import InputError, PolicyError, StoreError
from core.files.datasets.catalogue import Dataset, File
from core.files.datasets.places import folder_of, mirrored, path_of, state, unfinished
from core.settings import settings

if TYPE_CHECKING:
    from pooch import Pooch

Progress = Callable[[int, int], None]
"""Is told how many bytes are here, and how many there are."""

_CHUNK = 1 << 16
_SECONDS = (5.0, 30.0)
"""How long a server may take to accept a connection, and to send the next bytes."""


def get(dataset: Dataset, progress: Progress | None = None, *, accepted: bool = False) -> Path:
    """The file or folder that the set's task reads; what of it is not here is fetched.

    Files that came whole are kept when getting stops, and are not fetched again. `accepted` says that the user has
    the right to use a set whose licence is not stated.

    Raises PolicyError if that is needed; InputError if only the user can bring the set, if a file cannot be had or is
    not the one of the catalogue; StoreError if it cannot be written. Each says what to do.
    """
    if found := path_of(dataset):
        return found
    _refuse_forbidden(dataset, accepted)
    if settings().offline and state(dataset) == "absent":
        raise InputError(f"Pairlens is offline (PAIRLENS_OFFLINE is set). {_instead(dataset)}", dataset.title)
    with _alone(dataset):
        # Another process may have got it while this one waited.
        return path_of(dataset) or _gather(dataset, progress or (lambda _done, _total: None))


def _refuse_forbidden(dataset: Dataset, accepted: bool) -> None:
    """Raise if the set must be brought by its user, or its licence leaves a question that only they can answer."""
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


@contextmanager
def _alone(dataset: Dataset) -> Iterator[None]:
    """No other process fetches this set meanwhile; errors of the disk are told as such."""
    from filelock import FileLock

    folder = settings().datasets
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f".{dataset.name}.lock"):
            yield
    except OSError as error:
        raise StoreError(
            f"{dataset.title} cannot be written to {folder}: {error.strerror or error}. PAIRLENS_HOME names another "
            "place."
        ) from error


def _gather(dataset: Dataset, progress: Progress) -> Path:
    """Bring all files together beside the set's folder, then make them the folder."""
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
        _fetch(fetcher, dataset, path, _Watch(file, done, dataset.size_bytes, progress))
        done += file.size
        progress(done, dataset.size_bytes)
    for left in part.rglob("*"):
        if left.is_file() and left.relative_to(part).as_posix() not in dataset.files:
            left.unlink()
    part.rename(folder)
    return folder / dataset.reads


def _fetch(fetcher: Pooch, dataset: Dataset, path: str, watch: _Watch) -> None:
    """One file, from the mirror if it has it, else from the network."""
    if copy := mirrored(dataset, path):
        _take(fetcher, path, copy, watch.file.size)
    else:
        _download(fetcher, dataset, path, watch)


def _take(fetcher: Pooch, path: str, copy: Path, size: int) -> None:
    """A file of the mirror; InputError for one that is damaged, or another one."""
    try:
        fetcher.fetch(path, downloader=_Copy(copy, size))
    except ValueError:  # of pooch, for a sha256 that is not the expected one
        reason = "this is not the file of the catalogue (its sha256 is another): put that one into the mirror folder"
        raise InputError(reason, str(copy)) from None


def _download(fetcher: Pooch, dataset: Dataset, path: str, watch: _Watch) -> None:
    """A file of the network; InputError, with what to do, if it cannot be had or is another one."""
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
    return (
        f"Ask again later; or set PAIRLENS_MIRROR to a folder with its files in {dataset.mirror}/, plain or as .gz; "
        f"or give the path of a copy of your own of {dataset.address}."
    )


class _Watch:
    """What pooch tells a progress bar, told as bytes of the whole set."""

    def __init__(self, file: File, before: int, whole: int, progress: Progress) -> None:
        self.file = file
        self.total = 0
        self._before, self._whole, self._progress = before, whole, progress
        self._done = 0

    def update(self, n: int) -> None:
        self._done = min(self._done + n, self.file.size)
        self._progress(self._before + self._done, self._whole)

    def reset(self) -> None:
        """Pooch starts anew before its last update, which has the bytes as they were sent: often compressed ones."""

    def close(self) -> None: ...


class _Copy:
    """A downloader of pooch that takes a file of the mirror, unpacked, and not much more of it than is expected."""

    def __init__(self, file: Path, size: int) -> None:
        self._file, self._size = file, size

    def __call__(self, url: str, output_file: str, pooch: Pooch) -> None:  # noqa: ARG002 (pooch gives all three)
        reading = gzip.open if self._file.suffix == ".gz" else open
        try:
            with reading(self._file, "rb") as stream:
                content = stream.read(self._size + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"this file of the mirror folder cannot be read: {error}", str(self._file)) from error
        Path(output_file).write_bytes(content)

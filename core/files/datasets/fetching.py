"""Getting a data set: file by file, checked by sha256, from the mirror folder or the network, all or nothing."""

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
from core.files.datasets.catalogue import Dataset, File, folder_of, mirrored, mirroring, path_of, state, unfinished
from core.files.locks import locked
from core.settings import settings

if TYPE_CHECKING:
    from pooch import Pooch

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
    if found := path_of(dataset):
        return found
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
            _download(fetcher, dataset, path, _Watch(file, done, dataset.size_bytes, progress))
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
        fetcher.fetch(path, downloader=_Copy(copy, size))
    except ValueError:  # of pooch, for a sha256 that is not the expected one
        reason = "this is not the file of the catalogue (its sha256 is another): put that one into the mirror folder"
        raise InputError(reason, str(copy)) from None


def _download(fetcher: Pooch, dataset: Dataset, path: str, watch: _Watch) -> None:
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


class _Watch:
    """A progress bar for pooch that reports bytes of the complete set."""

    def __init__(self, file: File, before: int, whole: int, progress: Progress) -> None:
        self.total = 0
        self._size, self._before, self._whole, self._progress = file.size, before, whole, progress
        self._done = 0

    def update(self, n: int) -> None:
        self._done = min(self._done + n, self._size)
        self._progress(self._before + self._done, self._whole)

    def reset(self) -> None:
        """Ignored: pooch resets before its last update, which counts the bytes as sent, often compressed."""

    def close(self) -> None: ...


class _Copy:
    """A downloader for pooch that copies a file of the mirror, unpacked, up to one byte more than its size."""

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

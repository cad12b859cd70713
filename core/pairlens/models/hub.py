"""The model hub: cached files first, and a reply within seconds when it cannot be reached."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from pairlens.errors import ModelError
from pairlens.models import checkpoint
from pairlens.settings import settings

if TYPE_CHECKING:
    from huggingface_hub import HfApi, ModelInfo


FILES = ("config.json", "generation_config.json", *checkpoint.TOKENIZER_FILES)
SAFETENSORS = ("model.safetensors", "model-*.safetensors", "model.safetensors.index.json")
CODE = "*.py"


def cached_snapshot(repo: str, revision: str, patterns: Sequence[str]) -> Path | None:
    """The folder of a model's cached files, if none is known to be missing; ModelError for an invalid hub id."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, IncompleteSnapshotError, LocalEntryNotFoundError

    try:
        return Path(
            snapshot_download(repo, revision=revision or None, allow_patterns=[*patterns], local_files_only=True)
        )
    except HFValidationError:
        raise ModelError(f"'{repo}' is not the name of a hub model.") from None
    except (LocalEntryNotFoundError, IncompleteSnapshotError):
        return None


def is_complete(folder: Path, weights: Sequence[str] = SAFETENSORS, *, with_code: bool = False) -> bool:
    """Whether a cached snapshot can be used: another program may have fetched only some of its files."""
    wanted = [("config.json",), checkpoint.TOKENIZER_FILES, weights, *([(CODE,)] if with_code else [])]
    return all(any(any(folder.glob(pattern)) for pattern in patterns) for patterns in wanted)


def cached_folder(repo: str, revision: str = "") -> Path | None:
    folder = cached_snapshot(repo, revision, [*FILES, *SAFETENSORS])
    return folder if folder is not None and is_complete(folder) else None


def cached_models() -> Iterator[tuple[str, Path]]:
    """Hub id and folder of every complete model: of its main branch, else of each commit."""
    from huggingface_hub import constants

    for home in sorted(Path(constants.HF_HUB_CACHE).glob("models--*--*")):
        repo = home.name.removeprefix("models--").replace("--", "/", 1)
        main = home / "refs" / "main"
        folders = sorted((home / "snapshots").glob("*"))
        if main.is_file():
            folders = [home / "snapshots" / main.read_text("utf-8").strip()]
        for folder in folders:
            if is_complete(folder):
                yield (repo if main.is_file() else f"{repo}@{folder.name}"), folder


def cached_size(repo: str) -> int:
    sizes = []
    for blob in (_home(repo) / "blobs").glob("*"):
        with contextlib.suppress(FileNotFoundError):  # renamed on completion
            sizes.append(blob.stat().st_size)
    return sum(sizes)


def _home(repo: str) -> Path:
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    return Path(constants.HF_HUB_CACHE, repo_folder_name(repo_id=repo, repo_type="model"))


PICKLES = ("pytorch_model.bin", "pytorch_model-*.bin", "pytorch_model.bin.index.json")

T = TypeVar("T")


def snapshot(
    repo: str, revision: str = "", *, with_code: bool = False, weights: tuple[str, ...] = SAFETENSORS
) -> Path:
    """The folder of a hub model's files, named by their commit; downloaded only if they are not in the hub's cache.

    If the hub cannot be reached, a folder may be incomplete: reading it reports what is missing. ModelError for
    nothing.
    """
    deadline = _deadline()
    patterns = [*FILES, *weights, *([CODE] if with_code else [])]
    folder = cached_snapshot(repo, revision, patterns)
    if folder is not None and is_complete(folder, weights, with_code=with_code):
        return folder
    try:
        info = _reply(
            repo, revision, deadline, lambda hub, left: hub.model_info(repo, revision=revision or None, timeout=left)
        )
    except _UnreachableError as error:
        if folder is not None:
            return folder
        raise ModelError(str(error)) from error
    _refuse_without_weights(repo, [file.rfilename for file in info.siblings or ()], weights)
    return _download(repo, revision, patterns)


def listing(repo: str, revision: str = "") -> tuple[ModelInfo, dict[str, Any], dict[str, int]]:
    """What the hub says about a model, its config, and the bytes of each file to fetch; ModelError in a sentence."""
    try:
        info = _reply(
            repo, revision, _deadline(),
            lambda hub, left: hub.model_info(repo, revision=revision or None, files_metadata=True, timeout=left),
        )  # fmt: skip
        sizes = {file.rfilename: file.size or 0 for file in info.siblings or ()}
        _refuse_without_weights(repo, list(sizes))
        if "config.json" not in sizes or not any(file in sizes for file in checkpoint.TOKENIZER_FILES):
            raise ModelError(f"'{repo}' lacks a config.json or a tokenizer on the hub: no model of transformers.")
        config = _reply(repo, "", _deadline(), lambda hub, _: _config(hub, repo, str(info.sha)))
    except _UnreachableError as error:
        raise ModelError(str(error)) from error
    wanted = [file for file in sizes if any(fnmatch(file, pattern) for pattern in (*FILES, *SAFETENSORS))]
    return info, config, {file: sizes[file] for file in wanted}


def revisions(repo: str) -> tuple[str, ...]:
    """The names of a hub model's branches and tags, at least those in the cache; ModelError if there are none."""
    deadline = _deadline()
    try:
        refs = _reply(repo, "", deadline, lambda hub, _: hub.list_repo_refs(repo))
    except _UnreachableError as error:
        heads = _home(repo) / "refs"
        if cached := sorted(ref.relative_to(heads).as_posix() for ref in heads.rglob("*") if ref.is_file()):
            return tuple(cached)
        raise ModelError(str(error)) from error
    return tuple(dict.fromkeys(ref.name for ref in (*refs.branches, *refs.tags)))


class _UnreachableError(Exception):
    """The message is for the user."""


def _deadline() -> float:
    return time.monotonic() + settings().hub_timeout_seconds


def _refuse_without_weights(repo: str, files: list[str], weights: tuple[str, ...] = SAFETENSORS) -> None:
    if not any(fnmatch(file, pattern) for file in files for pattern in weights):
        if "adapter_config.json" in files:
            raise ModelError(
                f"'{repo}' is an adapter, which is read from a folder: fetch it with `hf download {repo} --local-dir "
                "FOLDER` and name ./FOLDER."
            )
        has_pickles = any(fnmatch(file, pattern) for file in files for pattern in PICKLES)
        raise ModelError(checkpoint.only_pickles(repo) if has_pickles else f"'{repo}' has no weights on the hub.")


def _config(hub: HfApi, repo: str, commit: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return checkpoint.read_json(
            Path(hub.hf_hub_download(repo, "config.json", revision=commit, local_dir=folder)), repo
        )


def _reply(repo: str, revision: str, deadline: float, ask: Callable[[HfApi, float], T]) -> T:
    """The hub's reply about a model before the deadline; `ask` receives the hub and the seconds left."""
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

    if settings().offline or constants.HF_HUB_OFFLINE:
        reason = "Pairlens is offline (PAIRLENS_OFFLINE or HF_HUB_OFFLINE is set)"
        raise _UnreachableError(_not_here(repo, reason))
    try:
        left = max(0.1, deadline - time.monotonic())
        return _within(left, lambda: ask(HfApi(), left))
    except GatedRepoError:
        raise ModelError(
            f"'{repo}' is gated: accept its terms on the hub, then log in with `hf auth login`."
        ) from None
    except RevisionNotFoundError:
        raise ModelError(f"The hub's model '{repo}' has no revision '{revision}'.") from None
    except RepositoryNotFoundError:
        raise ModelError(f"The hub has no public model '{repo}'; {_written(repo)}.") from None
    except ModelError:
        raise
    except Exception as error:
        raise _UnreachableError(_not_here(repo, "the model hub cannot be reached")) from error


def _not_here(repo: str, reason: str) -> str:
    return f"'{repo}' is not in the cache and {reason}; {_written(repo)}, bundled models need no network."


def _written(repo: str) -> str:
    return f"{'the folder of this name' if Path(repo).is_dir() else 'a folder'} is written ./{repo}"


def _within(seconds: float, ask: Callable[[], T]) -> T:
    """The reply, or TimeoutError. A name look-up cannot be stopped: its thread is left behind."""
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:
            answer.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    return answer.result(seconds)


def _download(repo: str, revision: str, patterns: list[str]) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(repo, revision=revision or None, allow_patterns=patterns))
    except Exception as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ModelError(f"'{repo}' could not be downloaded: {reason}") from error

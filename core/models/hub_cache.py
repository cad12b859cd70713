"""The hub's cache on this machine: models that were fetched earlier, by Pairlens or any other program."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import ModelError
from core.models import checkpoint

FILES = ("config.json", "generation_config.json", *checkpoint.TOKENIZER_FILES)
SAFETENSORS = ("model.safetensors", "model-*.safetensors", "model.safetensors.index.json")
CODE = "*.py"


def snapshot(repo: str, revision: str, patterns: Sequence[str]) -> Path | None:
    """The folder of a model's cached files; None if there are none, or one is known to be missing.

    ModelError for an invalid hub id.
    """
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


def complete(folder: Path, weights: Sequence[str] = SAFETENSORS, *, with_code: bool = False) -> bool:
    """Whether a cached snapshot can be used: another program may have fetched only some of its files."""
    wanted = [("config.json",), checkpoint.TOKENIZER_FILES, weights, *([(CODE,)] if with_code else [])]
    return all(any(any(folder.glob(pattern)) for pattern in patterns) for patterns in wanted)


def model_folder(repo: str, revision: str = "") -> Path | None:
    """The folder of a completely cached model, else None."""
    folder = snapshot(repo, revision, [*FILES, *SAFETENSORS])
    return folder if folder is not None and complete(folder) else None


def kept() -> Iterator[tuple[str, Path]]:
    """Hub id and folder of every complete model: of its main branch, else of each commit."""
    from huggingface_hub import constants

    for home in sorted(Path(constants.HF_HUB_CACHE).glob("models--*--*")):
        repo = home.name.removeprefix("models--").replace("--", "/", 1)
        main = home / "refs" / "main"
        folders = sorted((home / "snapshots").glob("*"))
        if main.is_file():
            folders = [home / "snapshots" / main.read_text("utf-8").strip()]
        for folder in folders:
            if complete(folder):
                yield (repo if main.is_file() else f"{repo}@{folder.name}"), folder


def size(repo: str) -> int:
    """The bytes of a model that are here, including files still being fetched."""
    sizes = []
    for blob in (_home(repo) / "blobs").glob("*"):
        with contextlib.suppress(FileNotFoundError):  # renamed on completion
            sizes.append(blob.stat().st_size)
    return sum(sizes)


def revisions(repo: str) -> tuple[str, ...]:
    """The branches and tags under which files of a model were fetched."""
    refs = _home(repo) / "refs"
    return tuple(sorted(ref.relative_to(refs).as_posix() for ref in refs.rglob("*") if ref.is_file()))


def _home(repo: str) -> Path:
    from huggingface_hub import constants
    from huggingface_hub.file_download import repo_folder_name

    return Path(constants.HF_HUB_CACHE, repo_folder_name(repo_id=repo, repo_type="model"))

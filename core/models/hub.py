"""The model hub: cached files first, and an answer within seconds when it cannot be reached."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue

from core.errors import ModelError
from core.models.checkpoint import TOKENIZER_FILES
from core.settings import settings

_FILES = ("config.json", "generation_config.json", *TOKENIZER_FILES)
_WEIGHTS = ("model.safetensors", "model-*.safetensors", "model.safetensors.index.json")
PICKLES = ("pytorch_model.bin", "pytorch_model-*.bin", "pytorch_model.bin.index.json")


def snapshot(repo: str, revision: str = "", *, with_code: bool = False, weights: tuple[str, ...] = _WEIGHTS) -> Path:
    """The folder of a hub model's files, named by their commit; downloaded only if not in the hub's cache.

    Raises ModelError in one sentence if they are neither cached nor reachable.
    """
    patterns = [*_FILES, *weights, *(("*.py",) if with_code else ())]
    cached = _cached(repo, revision, patterns)
    if cached is not None and _complete(cached, weights, with_code):
        return cached
    _refuse_unless_reachable(repo, revision)
    return _download(repo, revision, patterns)


def _cached(repo: str, revision: str, patterns: list[str]) -> Path | None:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import IncompleteSnapshotError, LocalEntryNotFoundError

    try:
        folder = snapshot_download(repo, revision=revision or None, allow_patterns=patterns, local_files_only=True)
    except (LocalEntryNotFoundError, IncompleteSnapshotError):
        return None
    return Path(folder)


def _complete(folder: Path, weights: tuple[str, ...], with_code: bool) -> bool:
    """Whether a cached snapshot can be used: another program may have fetched its config only."""
    wanted = [("config.json",), TOKENIZER_FILES, weights]
    if with_code:
        wanted.append(("*.py",))
    return all(any(any(folder.glob(pattern)) for pattern in patterns) for patterns in wanted)


def _refuse_unless_reachable(repo: str, revision: str) -> None:
    """Ask the hub once whether it has the model, waiting no longer than the setting says, name look-up included."""
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

    if settings().offline or constants.HF_HUB_OFFLINE:
        raise ModelError(f"'{repo}' is not in the cache, and Pairlens is offline (PAIRLENS_OFFLINE, HF_HUB_OFFLINE).")
    seconds = settings().hub_timeout_seconds
    try:
        answer = _within(seconds, lambda: HfApi().model_info(repo, revision=revision or None, timeout=seconds))
    except GatedRepoError:
        raise ModelError(f"'{repo}' is gated: accept its terms on the hub and log in with `hf auth login`.") from None
    except RevisionNotFoundError:
        raise ModelError(f"The model '{repo}' has no revision '{revision}'.") from None
    except RepositoryNotFoundError:
        raise ModelError(
            f"The model hub has no model '{repo}', or it is private. A folder is written ./{repo}."
        ) from None
    except Exception as error:
        raise ModelError(_unreachable(repo, seconds)) from error
    if answer is None:
        raise ModelError(_unreachable(repo, seconds))


def _unreachable(repo: str, seconds: float) -> str:
    return (
        f"'{repo}' is not in the cache, and the model hub did not answer within {seconds:g} s. "
        f"If you meant a folder, write ./{repo}; bundled models need no network."
    )


def _within(seconds: float, ask: Callable[[], object]) -> object | None:
    """The answer, or None if there is none in time. The thread is left behind: a name look-up cannot be stopped."""
    answers: SimpleQueue[object] = SimpleQueue()

    def work() -> None:
        try:
            answers.put(ask())
        except Exception as error:
            answers.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty:
        return None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _download(repo: str, revision: str, patterns: list[str]) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(repo, revision=revision or None, allow_patterns=patterns))
    except Exception as error:
        raise ModelError(f"'{repo}' could not be downloaded: {str(error).splitlines()[0]}") from error

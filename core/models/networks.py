"""A model's weights in one of transformers' automatic classes, built by one thread at a time."""

from __future__ import annotations

import sys
import threading
from typing import Any

from core.errors import ModelError
from core.types import Model

BUILDING = threading.RLock()
"""Held while a network is built, and while transformers is imported.

Meanwhile transformers replaces methods of its classes and functions of torch (`tie_weights`, `torch.nn.init`, the
default dtype), and afterwards restores what it found: with two threads, one may find and restore the other's
replacements, which damages every later network of the process.
"""
_LONGEST = 200


def library() -> Any:
    """transformers, imported by one thread at a time.

    The package replaces itself at the end of its import: a thread that waited for another's import would be left with
    the first module, which has no classes.
    """
    with BUILDING:
        import transformers  # noqa: F401 (looked up below)

        return sys.modules["transformers"]


def from_folder(architecture: Any, model: Model, head: str, dtype: str, **placed: Any) -> tuple[Any, list[str]]:
    """A model's weights in one of transformers' automatic classes, and the names of missing weights.

    `placed` says on which devices, as transformers' `device_map` and what goes with it; by default in main memory.
    ModelError, which names the `head`, if the model cannot be loaded.
    """
    import safetensors
    import torch

    transformers = library()
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    try:
        with BUILDING:
            module, report = architecture.from_pretrained(
                model.folder,
                dtype=getattr(torch, dtype),
                use_safetensors=True,
                trust_remote_code=bool(model.code),
                local_files_only=True,
                output_loading_info=True,
                **placed,
            )
    except safetensors.SafetensorError as error:
        raise ModelError(f"'{model.name}': its weight file is damaged ({error}); get it again.") from error
    except Exception as error:  # a config can hold anything
        raise ModelError(f"'{model.name}' cannot be loaded as a {head} model: {in_short(error)}") from error
    module.config.use_cache = False
    return module, sorted(report["missing_keys"])


def in_short(error: Exception) -> str:
    """An error's message on one line, cut short: some list every class that exists."""
    line = " ".join(str(error).split()) or type(error).__name__
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"

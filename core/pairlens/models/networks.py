"""A model's weights in one of transformers' automatic classes, built by one thread at a time."""

import logging
import re
import sys
import threading
from typing import Any

from pairlens.errors import ModelError
from pairlens.models import gguf
from pairlens.types import Model

log = logging.getLogger(__name__)

BUILDING = threading.RLock()
"""Held while a network is built, and while transformers is imported.

Meanwhile transformers replaces methods of its classes and functions of torch (`tie_weights`, `torch.nn.init`, the
default dtype), and afterwards restores what it found: with two threads, one may find and restore the other's
replacements, which damages every later network of the process.
"""
_LONGEST = 200
_LAYER = re.compile(r"(?:.*?\.)??(?:h|\w*layers?|blocks?)\.\d+\.")


def library() -> Any:
    """transformers, imported by one thread at a time: it replaces itself at the end, and a thread that waited would
    keep the first module, which has no classes.
    """
    with BUILDING:
        import transformers  # noqa: F401 (looked up below)

        return sys.modules["transformers"]


def from_folder(architecture: Any, model: Model, head: str, dtype: str, **placed: Any) -> tuple[Any, list[str]]:
    """A model's weights in one of transformers' automatic classes, and the names of missing weights.

    `placed` says on which devices, in transformers' words; by default in main memory. ModelError names the `head`.
    """
    import safetensors
    import torch

    transformers = library()
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    try:
        with BUILDING, gguf.source(model.folder) as (place, named):
            if named:  # else a kernel that happens to be installed would compute with rounded numbers
                named["quantization_config"] = transformers.GgufConfig(dequantize=True)
            module, report = architecture.from_pretrained(
                place,
                dtype=getattr(torch, dtype),
                use_safetensors=True,
                trust_remote_code=bool(model.code),
                local_files_only=True,
                output_loading_info=True,
                **named,
                **placed,
            )
    except safetensors.SafetensorError as error:
        raise ModelError(f"'{model.name}': its weight file is damaged ({error}); get it again.") from error
    except Exception as error:  # a config can hold anything
        raise ModelError(f"'{model.name}' cannot be loaded as a {head} model: {in_short(error)}") from error
    # Layers of which the file has weights and the network has nothing; some buffers of older versions stay unused.
    own, strange = (
        {match[0] for name in names if (match := _LAYER.match(name))}
        for names in (module.state_dict(), report["unexpected_keys"])
    )
    if unused := sorted(
        one for one in strange if not any(one.endswith(layer) or layer.endswith(one) for layer in own)
    ):
        raise ModelError(
            f"'{model.name}' has weights of layers that its config.json leaves out ({unused[0]}...): without them "
            "it is another model, whose scores would mean nothing. Correct the number of layers there."
        )
    if others := sorted(report["unexpected_keys"]):
        log.warning(
            "'%s': a %s model does not use %d of its weights (%s...).", model.name, head, len(others), others[0]
        )
    module.config.use_cache = False
    return module, sorted(report["missing_keys"])


def in_short(error: Exception) -> str:
    """An error's message on one line, cut short: some list every class that exists."""
    line = " ".join(str(error).split()) or type(error).__name__
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"

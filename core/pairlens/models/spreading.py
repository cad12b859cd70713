"""Models larger than one device: as many weights as fit on each accelerator, then in main memory, the rest on disk.

accelerate moves states from device to device. Weights on disk are read anew in each forward pass, from the model's
own files or, if the architecture uses another layout than it stores, from a folder in the cache.
"""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import warnings
import weakref
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import ModelError
from pairlens.models.networks import from_folder
from pairlens.settings import settings
from pairlens.types import Model

if TYPE_CHECKING:
    import torch

SPREAD = "spread"
"""What PAIRLENS_DEVICE names it."""
_NO_DEVICES = ("cpu", "disk")
"""Where weights wait that an accelerator computes with."""


def is_wanted() -> bool:
    return settings().device == SPREAD


def is_divided(module: Any) -> bool:
    return hasattr(module, "hf_device_map")


def spread(architecture: Any, model: Model, head: str, dtype: str) -> tuple[Any, list[str]]:
    """As `networks.from_folder`, on all devices. A network that fits on the best one is undivided there."""
    from transformers.integrations.accelerate import get_max_memory

    logging.getLogger("accelerate").setLevel(logging.ERROR)  # it warns of weights that are not in memory
    warnings.filterwarnings("ignore", "The following device_map keys")
    most, before = settings().spread_mb, _states(model)
    limits = {device: min(free, int(most * 1e6)) for device, free in get_max_memory().items()} if most else None
    settings().cache.mkdir(parents=True, exist_ok=True)
    # By the name of its folder housekeeping knows when its process is gone (`pairlens.store.removal`).
    folder = tempfile.mkdtemp(prefix=f".{os.getpid()}-", dir=settings().cache)
    try:
        module, missing = from_folder(
            architecture, model, head, dtype, device_map="auto", max_memory=limits, offload_folder=folder
        )
    except BaseException:
        shutil.rmtree(folder)
        raise
    with suppress(OSError):  # it is empty if the model's own files are read
        Path(folder).rmdir()
    weakref.finalize(module, shutil.rmtree, folder, ignore_errors=True)
    module.register_forward_hook(lambda *_: _refuse_changed(model, before))
    return module, missing


def refuse_training() -> None:
    if is_wanted():
        raise ModelError("Training needs a whole model on one device: set PAIRLENS_DEVICE to auto, cpu, cuda or mps.")


def device_of(module: Any) -> torch.device:
    """Where a network's inputs go and its output is: with its last layer, where that has a device of its own."""
    import torch

    if not is_divided(module):
        return torch.device(module.device)
    places = [*module.hf_device_map.values()]
    return torch.device(next((place for place in (places[-1], *places) if place not in _NO_DEVICES), "cpu"))


def _states(model: Model) -> list[tuple[int, int, int]]:
    statuses = [path.stat() for path in sorted(model.folder.glob("*.safetensors"))]
    return [(status.st_size, status.st_mtime_ns, status.st_ino) for status in statuses]


def _refuse_changed(model: Model, before: list[tuple[int, int, int]]) -> None:
    if _states(model) != before:
        raise ModelError(f"'{model.name}': its weight files were changed while they were in use; start again.")

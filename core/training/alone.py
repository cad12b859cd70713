"""Only one training at a time writes a model: two would mistake each other's checkpoints for their own."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import InputError
from core.settings import settings
from core.training.checkpoint import has_checkpoint, work_folder


@contextmanager
def alone(output: Path) -> Iterator[None]:
    """Hold the lock of `output`, which a killed process loses; InputError if another process trains it.

    A training that fails leaves nothing but a checkpoint.
    """
    folder = settings().cache / "trainings"
    folder.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(str(output.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:24]
    try:
        with FileLock(folder / f"{name}.lock", timeout=0):
            try:
                yield
            except Exception:
                if not has_checkpoint(work_folder(output)):
                    shutil.rmtree(work_folder(output), ignore_errors=True)
                raise
    except Timeout:
        raise InputError(f"{output.name} is being trained already: wait for that, or choose another name.") from None

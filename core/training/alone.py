"""Only one training at a time writes a model: two would mistake each other's checkpoints for their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import InputError
from core.files.locks import locked
from core.identity import digest
from core.settings import settings
from core.training.checkpoint import has_checkpoint, work_folder


@contextmanager
def alone(output: Path) -> Iterator[None]:
    """Hold the lock of `output`, which a killed process loses; InputError if another process trains it.

    A training that fails leaves nothing but a checkpoint.
    """
    file = settings().cache / "trainings" / f"{digest(str(output.resolve()))[:24]}.lock"
    busy = InputError(f"{output.name} is being trained already: wait for that, or choose another name.")
    with locked(file, 0, busy):
        try:
            yield
        except Exception:
            if not has_checkpoint(work_folder(output)):
                shutil.rmtree(work_folder(output), ignore_errors=True)
            raise

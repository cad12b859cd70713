"""Work folders, their locks, and checkpoints. Every file is complete or absent: it is written aside, then renamed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError
from pairlens.files.locks import locked
from pairlens.identity import digest
from pairlens.settings import settings

if TYPE_CHECKING:
    import torch

CHECKPOINT = "checkpoint.pt"
REQUEST = "request.json"
FINISHED = "finished"
"""In the work folder: the complete model, until it is published."""
_STOP = "stop"
LARGEST = 700.0
"""Losses whose perplexity overflows lie above."""


def work_folder(output: Path) -> Path:
    """Where a training keeps its rows and checkpoints until the model is published."""
    return output.with_name(output.name + ".training")


def open_work_folder(output: Path, request: dict[str, Any], *, resume: bool) -> Path:
    """The work folder for `request`: that of an unfinished training with the same request, else a new one.

    InputError if the output folder holds files, or if the checkpoint of another request would be lost; without
    `resume` it is deleted.
    """
    if output.exists() and any(output.iterdir()):
        raise InputError(f"The output folder {output.name} is not empty; choose another name.")
    folder = work_folder(output)
    with suppress(OSError, ValueError):  # there is none, or it cannot be read
        if resume and json.loads((folder / REQUEST).read_text(encoding="utf-8")) == request:
            (folder / _STOP).unlink(missing_ok=True)
            return folder
    if resume and has_checkpoint(folder):
        raise InputError(
            f"An unfinished training of {output.name} had other text or settings; give these again to go on with it, "
            f"choose another name, or discard it: with --no-resume, or by deleting {folder.name}."
        )
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / REQUEST).write_text(json.dumps(request, indent=2), encoding="utf-8")
    return folder


def has_checkpoint(folder: Path) -> bool:
    return (folder / CHECKPOINT).is_file()


def refuse_lost(loss: float, folder: Path) -> None:
    """InputError if the loss is no number or has no perplexity: the training has diverged; its work is deleted."""
    if not loss < LARGEST:
        shutil.rmtree(folder)
        raise InputError(f"The training came apart: its loss is {loss:g}. Take a lower learning rate.")


def ask_to_stop(output: Path) -> None:
    """Ask the training that writes `output` to end now and keep its best state; does nothing if there is none."""
    with suppress(FileNotFoundError):
        (work_folder(output) / _STOP).touch()


def stop_asked(folder: Path) -> bool:
    return (folder / _STOP).exists()


def save_checkpoint(folder: Path, state: Mapping[str, Any]) -> None:
    import torch

    part = folder / (CHECKPOINT + ".part")
    torch.save(state, part)
    part.replace(folder / CHECKPOINT)


def load_checkpoint(folder: Path, device: torch.device | str) -> dict[str, Any] | None:
    """The state of the last checkpoint, its tensors on `device`; None if there is no checkpoint."""
    import torch

    path = folder / CHECKPOINT
    if not path.is_file():
        return None
    state: dict[str, Any] = torch.load(path, map_location=device, weights_only=True)
    return state


def publish(output: Path) -> None:
    if output.exists():
        output.rmdir()
    (work_folder(output) / FINISHED).rename(output)
    shutil.rmtree(work_folder(output))


@contextmanager
def alone(output: Path) -> Iterator[None]:
    """Hold the lock of `output`, which a killed process loses; InputError if another process trains it."""
    file = settings().cache / "trainings" / f"{digest(str(output.resolve()))[:24]}.lock"
    busy = InputError(f"{output.name} is being trained already: wait for that, or choose another name.")
    with locked(file, 0, busy):
        try:
            yield
        except Exception:
            if not has_checkpoint(work_folder(output)):
                shutil.rmtree(work_folder(output), ignore_errors=True)
            raise

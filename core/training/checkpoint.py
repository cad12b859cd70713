"""Files that are whole or absent: everything is written beside its place and then renamed."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import InputError

if TYPE_CHECKING:
    from torch import nn

    from core.training.optimizer import Optimizers

CHECKPOINT = "checkpoint.pt"
REQUEST = "request.json"


def work_folder(output: Path) -> Path:
    """Where a run keeps its rows and checkpoint until the model is saved."""
    return output.with_name(output.name + ".training")


def open_work_folder(output: Path, request: dict[str, Any], *, resume: bool) -> Path:
    """The work folder for `request`: the unfinished one if it asks for the same, else a new one.

    InputError if the output holds files, or if a checkpoint of another request would be lost; without `resume` that
    is what was asked for.
    """
    if output.exists() and any(output.iterdir()):
        raise InputError(f"The output folder {output.name} is not empty; choose another name.")
    folder = work_folder(output)
    note = folder / REQUEST
    if resume and _noted(note) == request:
        return folder
    if resume and has_checkpoint(folder):
        raise InputError(
            f"An unfinished training of {output.name} had other text or settings; give these again to go on with it, "
            f"take another name, or discard it: with --no-resume, or by deleting {folder.name}."
        )
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    note.write_text(json.dumps(request, indent=2), encoding="utf-8")
    return folder


def _noted(note: Path) -> object:
    """What an unfinished training was asked for; None if that cannot be read any more."""
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def has_checkpoint(folder: Path) -> bool:
    """Whether a training that works in `folder` has come far enough for something to be lost with it."""
    return (folder / CHECKPOINT).is_file() or any(folder.glob("checkpoint-*"))


def forget_failed(output: Path) -> None:
    """Delete what a training that failed has left, unless it can go on from a checkpoint."""
    if not has_checkpoint(work_folder(output)):
        shutil.rmtree(work_folder(output), ignore_errors=True)


def refuse_lost(loss: float, folder: Path) -> None:
    """InputError if a loss is no number any more: what the training has reached is worth nothing, and is deleted."""
    if not math.isfinite(loss):
        shutil.rmtree(folder)
        raise InputError(f"The training came apart: its loss is {loss:g}. Take a lower learning rate.")


def snapshots_folder(output: Path) -> Path:
    """Where a run keeps the weights it had on the way, for as long as somebody wants to look at them."""
    return output.with_name(output.name + ".snapshots")


def save_snapshot(folder: Path, network: nn.Module, step: int) -> Path:
    """The weights after a step, in half precision, as `step-000123.safetensors`."""
    from safetensors.torch import save_file

    from core.training.export import half_weights

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"step-{step:06d}.safetensors"
    part = path.with_name(path.name + ".part")
    save_file(half_weights(network), part, metadata={"format": "pt"})
    part.replace(path)
    return path


def save_checkpoint(folder: Path, network: nn.Module, optimizers: Optimizers, step: int, seconds: float) -> None:
    """Weights, optimizer state, steps done and training seconds spent, in one file."""
    import torch

    state = {
        "network": network.state_dict(),
        "optimizers": optimizers.state_dict(),
        "step": step,
        "seconds": seconds,
    }
    part = folder / (CHECKPOINT + ".part")
    torch.save(state, part)
    part.replace(folder / CHECKPOINT)


def load_checkpoint(folder: Path, network: nn.Module, optimizers: Optimizers) -> tuple[int, float]:
    """Take up the last checkpoint if there is one; returns steps done and seconds spent."""
    import torch

    path = folder / CHECKPOINT
    if not path.is_file():
        return 0, 0.0
    state = torch.load(path, map_location="cpu", weights_only=True)
    network.load_state_dict(state["network"])
    optimizers.load_state_dict(state["optimizers"])
    return int(state["step"]), float(state["seconds"])


def publish(finished: Path, output: Path) -> None:
    """Make a complete folder appear under its final name, in one rename."""
    if output.exists():
        output.rmdir()
    finished.rename(output)

"""Files that are whole or absent: everything is written beside its place and then renamed."""

from __future__ import annotations

import json
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
    """The work folder for `request`: the unfinished one if it asks for the same, else a new one."""
    if output.exists() and any(output.iterdir()):
        raise InputError(f"The output folder {output.name} is not empty; choose another name.")
    folder = work_folder(output)
    note = folder / REQUEST
    if resume and note.is_file() and json.loads(note.read_text(encoding="utf-8")) == request:
        return folder
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    note.write_text(json.dumps(request, indent=2), encoding="utf-8")
    return folder


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

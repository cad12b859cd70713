"""The folder of a head: config, weights in half precision, card."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from core.models import heads
from core.models.loading import load_tokenizer
from core.models.resolve import is_folder
from core.training.card import write_card, write_json
from core.training.heads.pairs import layout
from core.types import Model

_OF_BASE = ("language", "lower_case", "characters", "context", "caution")
"""Facts on the base's card that hold for base and head together."""


@dataclass(frozen=True)
class Head:
    """What a head is for: its task, its labels in the order of its outputs, and what its card should say."""

    task: str
    labels: tuple[str, ...]
    title: str = ""
    description: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)


def save(
    folder: Path, name: str, head: Head, base: Model, weights: Mapping[str, Tensor], facts: Mapping[str, Any]
) -> None:
    """Write the folder of a head called `name`; see `core.models.heads` for its files."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    half = {key: tensor.to(torch.float16).contiguous() for key, tensor in weights.items()}
    save_file(half, folder / heads.WEIGHTS, metadata={"format": "pt"})
    (folder / heads.WEIGHTS).chmod(0o644)
    frame = layout(load_tokenizer(base))
    config = {
        "architectures": [heads.ARCHITECTURE],
        "task": head.task,
        "base": os.fspath(base.folder) if is_folder(base.name) else base.name,
        "base_weights": base.weights,
        "id2label": {str(place): label for place, label in enumerate(head.labels)},
        "rank": facts["recipe"]["rank"],
        "pooling": "mean of each text",
        "pair": {"before": frame.before, "between": frame.between, "after": frame.after, "types": frame.types},
    }
    write_json(folder / "config.json", config)
    card = {
        "name": name,
        "title": head.title or name,
        "kind": head.task,
        "description": head.description or f"A {head.task} head over {base.name}.",
        "base": base.name,
        "labels": list(head.labels),
        **{key: base.card[key] for key in _OF_BASE if key in base.card},
        **head.about,
        "parameters": sum(tensor.numel() for tensor in weights.values()),
        "recipe": facts["recipe"],
        "training": {key: fact for key, fact in facts.items() if key != "recipe"},
        "scores": {},
    }
    write_card(folder, card)

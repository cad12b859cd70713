"""The models on this machine: bundled, made here, or fetched from the hub."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import ModelError
from core.models import checkpoint, hub_cache
from core.models.resolve import kind_of
from core.types import Model

_FEW = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A model. `origin` is bundled, own (made on this machine), hub or folder; `card` may be empty.

    `parameters` counts the numbers in its own weight files: of a head, without its base; 0 for word counts.
    """

    name: str
    kind: str
    folder: Path
    origin: str
    card: Mapping[str, Any]
    parameters: int

    @property
    def megabytes(self) -> float:
        """The size of its folder."""
        return sum(path.stat().st_size for path in self.folder.glob("*") if path.is_file()) / 1e6


def inventory(listed: Iterable[Model]) -> list[Entry]:
    """The models `listed`, then those of the hub's cache; an unusable one is left out, with a warning in the log.

    No weights are read, only the headers of their files.
    """
    entries = [of_model(model) for model in listed]
    for name, folder in hub_cache.kept():
        try:
            entries.append(of_cached(name, folder))
        except ModelError as error:
            logging.getLogger(__name__).warning("left out of the list of models: %s", error)
    return entries


def in_millions(number: int) -> str:
    """`4.6 M`, `54,016` below a hundred thousand; empty for 0, which stands for unknown."""
    if number < _FEW:
        return f"{number:,}" if number else ""
    return f"{number / 1e6:,.1f} M"


def of_model(model: Model) -> Entry:
    """The entry of a model."""
    origin = "bundled" if model.bundled else "hub" if model.revision else "own" if model.card else "folder"
    weights = sorted(model.folder.glob("*.safetensors"))
    return Entry(model.name, model.kind, model.folder, origin, model.card, checkpoint.parameters(weights))


def of_cached(name: str, folder: Path) -> Entry:
    """The entry of a model in the hub's cache; ModelError if it cannot be used."""
    files = checkpoint.read(folder, name)
    kind = kind_of(name, files.config, revision=folder.name)
    return Entry(name, kind, folder, "hub", {}, checkpoint.parameters(files.weights))

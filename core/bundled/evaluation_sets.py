"""Our own evaluation sets: what the bundled models are measured on, and never trained on.

Their digests go into a model's card when its training text is prepared, so that anybody can check that a figure is
about the set as it was before the training.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from core.settings import ROOT
from core.training.exclusion import benchmark_strings

FOLDERS: Mapping[str, Path] = MappingProxyType(
    {
        "object_participle": ROOT / "data" / "samples" / "object_participle",
        "stories": ROOT / "data" / "samples" / "next_sentence",
        "nli_held_out": ROOT / "data" / "nli",
    }
)
"""By the key that their figures have in cards, what holds them."""


def files(key: str) -> list[Path]:
    """The files of a set, in order of their names; word lists beside them are none."""
    return sorted(path for path in FOLDERS[key].iterdir() if path.suffix in (".txt", ".tab", ".tsv"))


def digests() -> dict[str, str]:
    """sha256 of each set: of the bytes of its files in order of their names."""
    return {key: hashlib.sha256(b"".join(path.read_bytes() for path in files(key))).hexdigest() for key in FOLDERS}


def strings() -> Iterator[str]:
    """Everything that the sets say, for the filter that keeps it out of training text."""
    for folder in FOLDERS.values():
        yield from benchmark_strings(folder)

"""Our own evaluation sets, on which the bundled models are measured and never trained.

Their digests go into a model's card when its training text is prepared, so that anybody can check that a figure
refers to the set as it was before the training.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from core.settings import ROOT
from core.training.filtering import benchmark_strings

FOLDERS: Mapping[str, Path] = MappingProxyType(
    {
        "object_participle": ROOT / "data" / "samples" / "object_participle",
        "stories": ROOT / "data" / "samples" / "next_sentence",
        "nli_held_out": ROOT / "data" / "nli",
        "everyday_english": ROOT / "data" / "samples" / "everyday_english",
        "everyday_french": ROOT / "data" / "samples" / "everyday_french",
        "everyday_portuguese": ROOT / "data" / "samples" / "everyday_portuguese",
    }
)
"""Their folders, by the key of their figures in cards."""


def files(key: str) -> list[Path]:
    """The files of a set, by name, without word lists beside them."""
    return sorted(path for path in FOLDERS[key].iterdir() if path.suffix in (".txt", ".tab", ".tsv"))


def digests() -> dict[str, str]:
    """sha256 of each set: of the bytes of its files, by name."""
    return {key: hashlib.sha256(b"".join(path.read_bytes() for path in files(key))).hexdigest() for key in FOLDERS}


def strings() -> Iterator[str]:
    """All texts of the sets, for the filter that keeps them out of training text."""
    for folder in FOLDERS.values():
        yield from benchmark_strings(folder)

"""Public sets that hold the same pairs as another, read where they are on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from types import MappingProxyType

from core.files import datasets
from core.files.datasets.places import folder_of, mirrored
from core.files.nli.pairs import Pair
from core.files.nli.readers import read_corpus


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A set of the catalogue (`core.files.datasets`), by its name there; `files` is the pattern of the paths that
    count.
    """

    title: str
    name: str
    files: str

    def pairs(self) -> list[Pair]:
        """Its pairs, from the fetched set or the mirror folder; none if it is not on this machine."""
        return [pair for path in self._paths() for pair in read_corpus(path)]

    def _paths(self) -> Iterator[Path]:
        dataset = datasets.named(self.name)
        here = datasets.path_of(dataset)
        for name in sorted(dataset.files):
            path = folder_of(dataset) / name if here else mirrored(dataset, name)
            if path and fnmatch(name, self.files):
                yield path


SHARED: Mapping[tuple[str, str], PublicSet] = MappingProxyType(
    {
        ("assin2", "sick"): PublicSet("SICK-BR", "sick_br", "SICK_BR.txt"),
        ("sick", "assin2"): PublicSet("ASSIN 2", "assin", "*assin2-*.xml"),
    }
)
"""By the labels of the data and of the model: what the model may have been trained on that holds the same pairs."""

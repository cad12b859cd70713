"""Public sets that hold the same pairs as another, read where they are on this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from types import MappingProxyType

from core.errors import InputError
from core.files import datasets
from core.files.datasets.places import folder_of, mirrored
from core.files.nli.items import texts_of
from core.files.nli.pairs import Corpus, Pair
from core.files.nli.readers import read_corpus
from core.settings import program


@dataclass(frozen=True, slots=True)
class PublicSet:
    """What a model can be trained on of `dataset`, a set of the catalogue (`core.files.datasets`).

    `name` is what users call it; `files` are patterns of the paths that count.
    """

    title: str
    name: str
    dataset: str
    files: tuple[str, ...]

    def pairs(self) -> list[Pair]:
        """Its pairs, from the fetched set or the mirror folder; none if it is not on this machine."""
        return [pair for path in self._paths() for pair in read_corpus(path)]

    def _paths(self) -> Iterator[Path]:
        dataset = datasets.named(self.dataset)
        here = datasets.path_of(dataset)
        for name in sorted(dataset.files):
            path = folder_of(dataset) / name if here else mirrored(dataset, name)
            if path and any(fnmatch(name, pattern) for pattern in self.files):
                yield path


def named_sets(given: Iterable[Path]) -> dict[str, list[Pair]]:
    """The pairs of several sets, by what these are called: files with the same name by their paths."""
    found = [(path, *named_set(path)) for path in dict.fromkeys(given)]
    often = Counter(name for _, name, _ in found)
    return {str(path) if often[name] > 1 else name: pairs for path, name, pairs in found}


def named_set(given: Path) -> tuple[str, list[Pair]]:
    """What a set is called, and its pairs: of a file, or of the public set of this name that `SHARED` has.

    Raises InputError for a file that cannot be read, and for a public set that is not on this machine.
    """
    known = next((one for one in SHARED.values() if one.name == str(given)), None)
    if known is None or given.exists():
        return given.name, list(read_corpus(given).pairs)
    if pairs := known.pairs():
        return known.title, pairs
    raise InputError(f"this data set is not here: {program()} data get {known.dataset}", known.name)


SHARED: Mapping[tuple[str, str], PublicSet] = MappingProxyType(
    {
        ("assin2", "sick"): PublicSet("SICK-BR", "sick_br", "sick_br", ("SICK_BR.txt",)),
        ("sick", "assin2"): PublicSet("ASSIN 2", "assin2", "assin", ("*assin2-train-only.xml", "*assin2-dev.xml")),
    }
)
"""By the labels of the data and of the model: what the model may have been trained on that holds the same pairs."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Which of `n` pairs are in `other`: `same` in the same order, `turned` with the sentences swapped only."""

    other: str
    n: int
    same: frozenset[str]
    turned: frozenset[str]

    @property
    def ids(self) -> frozenset[str]:
        """Those found in either order."""
        return self.same | self.turned


def overlap(corpus: Corpus, other: Iterable[Pair], name: str) -> Overlap:
    """The ids of the pairs of `corpus` that `other`, which is called `name`, holds in either order."""
    known = {texts_of(pair) for pair in other}
    found = {pair.id: texts_of(pair) for pair in corpus}
    same = frozenset(identifier for identifier, texts in found.items() if texts in known)
    turned = frozenset(identifier for identifier, texts in found.items() if texts[::-1] in known)
    return Overlap(name, len(corpus), same, turned - same)


def joined(overlaps: Sequence[Overlap]) -> frozenset[str]:
    """The ids found in any of several sets."""
    return frozenset().union(*(found.ids for found in overlaps))

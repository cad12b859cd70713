"""Benchmark suites as data: the benchmarks of a challenge, where their files are, and how many items each has.

A suite is a file in `data/suites`, whose comments explain its fields: a new year is a new file.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pairlens.errors import InputError, unknown
from pairlens.files.datasets import of_task, path_of
from pairlens.messages import counted
from pairlens.places import bundled

FOLDER = bundled("suites")
_PACKED = ("", ".gz", ".xz")


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A set of items: `data` below the folder of evaluation data, `results` below that of a model's revision.

    `sizes` are the numbers of items by paradigm, in lower case; where not named, all have `each`, or any number.
    """

    data: str
    results: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    each: int = 0

    def results_of(self, backend: str) -> str:
        return self.results.format(backend=backend)


@dataclass(frozen=True, slots=True)
class Entry:
    """A benchmark of a suite: its key in the collated file, the task that reads it, its full and its fast set.

    `values` names the numbers of a checkpoint, each with its metric; if empty, there is one number per paradigm, by
    the task's usual metric.
    """

    key: str
    task: str
    full: ItemSet
    fast: ItemSet | None = None
    values: Mapping[str, str] = field(default_factory=dict)

    def items(self, fast: bool) -> ItemSet | None:
        """The set for checkpoints (`fast`) or for the final model; None if checkpoints are not evaluated on it."""
        return self.fast if fast else self.full


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A part of a submission that Pairlens does not make, and why; `results` of other programs are copied."""

    key: str
    why: str
    results: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    entry: Entry
    fast: bool
    expected: Path
    path: Path | None


@dataclass(frozen=True, slots=True)
class Suite:
    """`tracks` names each track's checkpoints in order, `collated` the file to submit, `preset` the policy."""

    name: str
    title: str
    collated: str
    tracks: Mapping[str, tuple[str, ...]]
    entries: tuple[Entry, ...]
    elsewhere: tuple[Elsewhere, ...]
    preset: str = "pairlens"

    def parts(self, folder: Path, fast: bool = False) -> list[Part]:
        """The data of every entry, present or missing, below a folder of evaluation data or as a public set that was
        fetched; files may be packed.
        """
        parts_here = []
        for entry in self.entries:
            if items := entry.items(fast):
                path = folder / items.data
                packed = (Path(f"{path}{ending}") for ending in _PACKED)
                here = next((file for file in packed if file.exists()), None) or _fetched(entry.task, items.data)
                parts_here.append(Part(entry, fast, path, here))
        return parts_here

    def checkpoints(self, track: str) -> tuple[str, ...]:
        if track not in self.tracks:
            raise InputError(unknown(f"track of {self.title}", track, self.tracks))
        return self.tracks[track]


def _fetched(task: str, data: str) -> Path | None:
    """The public set that has the same place among evaluation data, if it is here."""
    return next(filter(None, (path_of(one) for one in of_task(task) if one.reads == f"evaluation_data/{data}")), None)


def suites() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def suite(name: str) -> Suite:
    if name not in suites():
        raise InputError(unknown("suite", name, suites()))
    fields = _fields(name)
    named = fields["tracks"]
    tracks = {track: tuple(named[names] if isinstance(names, str) else names) for track, names in named.items()}
    entries = tuple(_entry(entry) for entry in fields["entries"])
    elsewhere = (Elsewhere(**{**entry, "results": tuple(entry.get("results", ()))}) for entry in fields["elsewhere"])
    preset = fields.get("preset", "pairlens")
    return Suite(name, fields["title"], fields["collated"], tracks, entries, tuple(elsewhere), preset)


def _fields(name: str) -> dict[str, Any]:
    fields = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    return _fields(fields["like"]) | fields if "like" in fields else fields


def check_sizes(entry: Entry, counts: Mapping[str, int], fast: bool = False, names: Sequence[str] = ()) -> list[str]:
    """Sentences on wrong numbers of items per paradigm; `names` are the paradigms where the suite has no names."""
    items = entry.items(fast)
    if items is None:
        return [f"{entry.key}: the suite has no fast set of it."]
    if not items.sizes and not items.each:
        return []
    named = items.sizes or dict.fromkeys(names or entry.full.sizes, items.each)
    return compare_sizes(entry.key, counts, named or dict.fromkeys((name.lower() for name in counts), items.each))


def compare_sizes(key: str, counts: Mapping[str, int], expected: Mapping[str, int]) -> list[str]:
    """A sentence for each name that is missing, unknown or has another number, whatever its case."""
    sizes_here, wanted = ({name.lower(): n for name, n in sizes.items()} for sizes in (counts, expected))
    differences = []
    for name in dict.fromkeys((*wanted, *sizes_here)):
        if name not in sizes_here:
            differences.append(f"{key}: {name} is missing ({counted(wanted[name], 'item')}).")
        elif name not in wanted:
            differences.append(f"{key}: {name} is not part of it ({counted(sizes_here[name], 'item')}).")
        elif sizes_here[name] != wanted[name]:
            differences.append(
                f"{key}: {name} has {counted(sizes_here[name], 'item')}, expected are {wanted[name]:,}."
            )
    return differences


def _entry(fields: dict[str, Any]) -> Entry:
    return Entry(**fields | {name: ItemSet(**fields[name]) for name in ("full", "fast") if name in fields})

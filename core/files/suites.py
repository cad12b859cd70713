"""Benchmark suites as data: the benchmarks of a challenge, where their files are, and how many items each has.

A suite is a file in `data/suites`, whose comments explain its fields: a new year is a new file.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from core.errors import InputError, unknown
from core.settings import ROOT

FOLDER = ROOT / "data" / "suites"
_PACKED = ("", ".gz", ".xz")


@dataclass(frozen=True, slots=True)
class ItemSet:
    """A set of items: `data` below the folder of evaluation data, `results` below that of a model's revision.

    `sizes` are the numbers of items by paradigm, in lower case; where they are not named, all have `each`. With
    neither, any number will do.
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
    """An entry's data in a folder of evaluation data; `path` is None if they are missing."""

    entry: Entry
    fast: bool
    expected: Path
    path: Path | None


@dataclass(frozen=True, slots=True)
class Suite:
    """A benchmark suite: `tracks` names each track's checkpoints in order, `collated` the file to submit.

    `preset` names the policy with which the challenge scores, where that is not left to the user.
    """

    name: str
    title: str
    collated: str
    tracks: Mapping[str, tuple[str, ...]]
    entries: tuple[Entry, ...]
    elsewhere: tuple[Elsewhere, ...]
    preset: str = "pairlens"

    def parts(self, folder: Path, fast: bool = False) -> list[Part]:
        """The data of every entry below a folder of evaluation data, present or missing; files may be packed."""
        parts_here = []
        for entry in self.entries:
            if items := entry.items(fast):
                path = folder / items.data
                packed = (Path(f"{path}{ending}") for ending in _PACKED)
                parts_here.append(Part(entry, fast, path, next((file for file in packed if file.exists()), None)))
        return parts_here

    def checkpoints(self, track: str) -> tuple[str, ...]:
        """The checkpoints of a track; InputError with the choices if there is no such track."""
        if track not in self.tracks:
            raise InputError(unknown(f"track of {self.title}", track, self.tracks))
        return self.tracks[track]


def suites() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def suite(name: str) -> Suite:
    """The suite of that name; InputError with the choices if there is none."""
    if name not in suites():
        raise InputError(unknown("suite", name, suites()))
    return _suite(name, _fields(name))


def _fields(name: str) -> dict[str, Any]:
    """The fields of a suite's file, over those of the suite that it is `like`."""
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
    given, wanted = ({name.lower(): n for name, n in sizes.items()} for sizes in (counts, expected))
    found = []
    for name in dict.fromkeys((*wanted, *given)):
        if name not in given:
            found.append(f"{key}: {name} is missing ({wanted[name]:,} items).")
        elif name not in wanted:
            found.append(f"{key}: {name} is not part of it ({given[name]:,} items).")
        elif given[name] != wanted[name]:
            found.append(f"{key}: {name} has {given[name]:,} items, expected are {wanted[name]:,}.")
    return found


def _suite(name: str, fields: Mapping[str, Any]) -> Suite:
    return Suite(
        name,
        fields["title"],
        fields["collated"],
        {
            track: tuple(names) if isinstance(names, list) else tuple(fields["tracks"][names])
            for track, names in fields["tracks"].items()
        },
        tuple(_entry(entry) for entry in fields["entries"]),
        tuple(Elsewhere(**{**entry, "results": tuple(entry.get("results", ()))}) for entry in fields["elsewhere"]),
        fields.get("preset", "pairlens"),
    )


def _entry(fields: Mapping[str, Any]) -> Entry:
    sets = {name: ItemSet(**fields[name]) for name in ("full", "fast") if name in fields}
    return Entry(**{**fields, **sets})

"""The public data sets, their licences and files, as listed in `data/datasets.toml`."""

import csv
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from core.errors import InputError, PolicyError, unknown
from core.settings import ROOT

CATALOGUE = ROOT / "data" / "datasets.toml"
FILES = ROOT / "data" / "datasets"
"""One table per set that can be fetched: path, bytes and sha256 of each file."""
NOT_STATED = "not stated"
"""The licence of a set whose authors do not state one."""
_NAME = re.compile(r"[a-z0-9_]+")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class File:
    """A file of a data set: its size in bytes, and its sha256 in hex."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True, eq=False)
class Dataset:
    """A public data set.

    `task` is the task that reads it, empty if none does, and `reads` the path below the set's folder that it is
    given. `items` is the number of items as text, `licence` an SPDX identifier where there is one, `terms` what the
    licence asks for. `address` is the page for people, `source` the address below which the `files` are, by path;
    both are empty where the user has to bring a copy: `bring` says how and why. `mirror` is its folder in a mirror.
    """

    name: str
    title: str
    about: str
    languages: tuple[str, ...]
    items: str
    licence: str
    terms: str
    citation: str
    address: str
    task: str = ""
    reads: str = ""
    source: str = ""
    mirror: str = ""
    bring: str = ""
    files: Mapping[str, File] = field(default_factory=dict)

    @property
    def fetchable(self) -> bool:
        """Whether Pairlens may fetch it and knows its files."""
        return bool(self.files)

    @property
    def size_bytes(self) -> int:
        """The total size of its files; 0 if they are not known."""
        return sum(file.size for file in self.files.values())

    @property
    def needs_consent(self) -> bool:
        """Whether its user must state the right to use it, because there is no stated licence."""
        return self.licence == NOT_STATED


@cache
def catalogue() -> Mapping[str, Dataset]:
    """The known data sets by name, in the order of the file; InputError names an invalid entry."""
    entries = tomllib.loads(CATALOGUE.read_text(encoding="utf-8"))
    return MappingProxyType({name: _dataset(name, entry) for name, entry in entries.items()})


def named(name: str) -> Dataset:
    """The data set of that name; PolicyError, with the nearest, if there is none."""
    if name not in catalogue():
        raise PolicyError(unknown("data set", name, catalogue()))
    return catalogue()[name]


def of_task(task: str) -> tuple[Dataset, ...]:
    """The data sets that a task reads, its main one first."""
    return tuple(dataset for dataset in catalogue().values() if dataset.task == task)


def _dataset(name: str, entry: dict[str, Any]) -> Dataset:
    where = f"{CATALOGUE.name}, {name}"
    if not _NAME.fullmatch(name):
        raise InputError("a name has small letters, digits and underscores only", where)
    repository, commit = (entry.pop(key, "") for key in ("repository", "commit"))
    if repository:
        entry["address"] = f"https://github.com/{repository}/tree/{commit}"
        entry["source"] = f"https://raw.githubusercontent.com/{repository}/{commit}/"
        entry["files"] = read_files(FILES / f"{name}.csv")
    languages = tuple(entry.pop("languages", ()))
    try:
        return Dataset(name, languages=languages, mirror=entry.pop("mirror", name), **entry)
    except TypeError as error:
        raise InputError(f"a field is missing or not known ({error})", where) from None


def read_files(table: Path) -> Mapping[str, File]:
    """The files of a data set by path; InputError, with the row, for a path that could leave its folder."""
    files = {}
    with table.open(encoding="utf-8", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream), start=1):
            path = row["path"]
            parts = path.split("/")
            if not all(parts) or "\\" in path or ":" in path or any(part.startswith(".") for part in parts):
                raise InputError(f"'{path}' is no path below a folder", f"{table.name}, row {number}")
            if not (row["bytes"].isdecimal() and _SHA256.fullmatch(row["sha256"])):
                raise InputError("expected a number of bytes and a sha256 in hex", f"{table.name}, row {number}")
            files[path] = File(int(row["bytes"]), row["sha256"])
    return MappingProxyType(files)

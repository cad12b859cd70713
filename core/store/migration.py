"""Migration: brings a store of an older format up to date, one part, run or sweep after the other, step by step.

Each of them states its format, so an interrupted migration can be continued. A side file, manifest or sweep is
replaced atomically. A part whose tables change is written beside the old one, which it replaces; a run whose tables
change is written as a new folder, which then takes the place of the old one.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import StoreError
from core.store.deleted import FOLDER
from core.store.files import known_json, read_json, replacing, sha256, write_json
from core.store.formats import FORMAT, check_format
from core.store.locks import changing_runs, maintenance_lock
from core.store.parts import TABLES, Part, all_parts, replaced_in, write_part
from core.store.processes import alive
from core.store.removal import folders
from core.store.run_annotations import FILE as REMARKS
from core.store.store import Store

log = logging.getLogger(__name__)

PART, RUN, SWEEP = "part", "run", "sweep"
_NEW, _OLD = ".migrated", ".old"
_IN_PASSING = 100


class Contents(NamedTuple):
    """The contents of a part, run or sweep: its JSON object, and its tables by name, read on access."""

    about: dict[str, Any]
    tables: Mapping[str, pa.Table]


Step = Callable[[str, Contents], Contents]
"""Brings a `part`, `run` or `sweep` to the next format; tables that it returns unchanged are not rewritten."""

STEPS: Mapping[int, Step] = MappingProxyType({1: lambda _, contents: contents})
"""Steps by the format they start from. Format 2 adds seals and sha256, which whatever is written here gets anyway."""


@dataclass(frozen=True, slots=True)
class Outdated:
    """A part, run or sweep of an older format, and the file that states it."""

    kind: str
    path: Path
    format: int


class _Tables(Mapping[str, pa.Table]):
    """The Parquet files of a part or run by name, each read on access."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = {name: path for name, path in paths.items() if path.exists()}

    def __getitem__(self, name: str) -> pa.Table:
        return pq.read_table(self._paths[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def outdated(store: Store) -> list[Outdated]:
    """Everything of an older format. StoreError for anything newer: then Pairlens is out of date."""
    found = []
    for kind, path in _documents(store):
        about = (known_json(path) if path.exists() else None) or {}
        version = about.get("format")
        if version is None:
            log.warning("%s is damaged: it is left as it is.", path)
        elif isinstance(version, int) and version < FORMAT:
            found.append(Outdated(kind, path, version))
        else:
            check_format(path, about)
    return found


def migrate(store: Store, steps: Mapping[int, Step] = STEPS) -> Generator[Outdated]:
    """Bring everything to the present format; yields each when it is done. StoreError where there is no step."""
    with maintenance_lock(store), changing_runs(store):
        for folder in _run_folders(store):
            _settle(folder)
        found = outdated(store)
        for version in sorted({one.format for one in found}):
            if missing := set(range(version, FORMAT)) - set(steps):
                raise StoreError(f"Pairlens does not know how to read format {min(missing)}: use an older version.")
        for one in found:
            _migrate(one, [steps[version] for version in range(one.format, FORMAT)])
            yield one


def seal_some(store: Store) -> None:
    """Bring a few of the older documents up to date in passing, if there are any and nothing stands in the way."""
    with suppress(StoreError):
        if outdated(store):
            with closing(migrate(store)) as done:
                deque(islice(done, _IN_PASSING), maxlen=0)


def _documents(store: Store) -> Iterator[tuple[str, Path]]:
    for folder in folders(store):
        there = all_parts(folder)
        replaced = replaced_in(there)
        yield from ((PART, part.side) for part in there if part.name not in replaced)
    for folder in _run_folders(store):
        yield from ((RUN, path) for path in sorted(folder.glob("[!.]*/manifest.json")))
    yield from ((SWEEP, path) for path in sorted((store.folder / "sweeps").glob("[!.]*.json")))


def _run_folders(store: Store) -> list[Path]:
    """The folder of runs, and those of deleted runs that can be restored."""
    folder = store.folder / "runs"
    return [folder, *sorted((folder / FOLDER).glob("*/"))]


def _migrate(one: Outdated, steps: list[Step]) -> None:
    before = Contents(read_json(one.path) or {}, _Tables(_paths(one)))
    if before.about.get("state") == "running" and alive(before.about.get("pid"), before.about.get("began")):
        raise StoreError(f"Run '{before.about['run_id']}' is still running: stop it first, or wait for its end.")
    after = before
    for step in steps:
        after = step(one.kind, after)
    after.about["format"] = FORMAT
    if one.kind == RUN:
        _seal_remarks(one.path.with_name(REMARKS))
    if one.kind == RUN and after.tables is before.tables:
        after.about["sha256"] = {name: sha256(path) for name, path in _paths(one).items()}
    if after.tables is before.tables:
        write_json(one.path, after.about)
    elif one.kind == PART:
        _replace_part(Part(one.path, before.about), after)
    else:
        _replace_run(one.path.parent, after)


def _paths(one: Outdated) -> dict[str, Path]:
    if one.kind == PART:
        part = Part(one.path, read_json(one.path) or {})
        if not part.whole():
            raise StoreError(f"{part.side} was damaged and is set aside: start the migration again.")
        return {table: part.file(table) for table in TABLES}
    return {path.stem: path for path in one.path.parent.glob("[!.]*.parquet")} if one.kind == RUN else {}


def _replace_part(part: Part, contents: Contents) -> None:
    """Write a part anew, under a name that sorts like the old one's; the old part is deleted later."""
    claimed = contents.about.pop("replaces", {"parts": {}})["parts"]
    claim = {"parts": {**claimed, part.name: part.content}, "with": [], "at": time.time()}
    side = part.side.with_name(f"{part.name}-{contents.about['format']}.json")
    write_part(side, contents.tables, {**contents.about, "replaces": claim})


def _replace_run(folder: Path, contents: Contents) -> None:
    """Write a run's folder anew, with its other files, and let it take the old one's place."""
    new, old = (folder.with_name(f".{folder.name}{ending}") for ending in (_NEW, _OLD))
    shutil.copytree(folder, new, symlinks=True)
    digests = {}
    for name, table in contents.tables.items():
        with replacing(new / f"{name}.parquet") as temporary:
            pq.write_table(table, temporary, compression="zstd")
            digests[name] = sha256(temporary)
    write_json(new / "manifest.json", {**contents.about, "sha256": digests})
    folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old)


def _seal_remarks(path: Path) -> None:
    if annotations := read_json(path):
        write_json(path, annotations)


def _settle(folder: Path) -> None:
    """After a kill: restore a run that was moved away, and delete incomplete folders."""
    for old in folder.glob(f".*{_OLD}"):
        place = folder / old.name[1 : -len(_OLD)]
        if place.exists():
            shutil.rmtree(old)
        else:
            old.rename(place)
    for new in folder.glob(f".*{_NEW}"):
        shutil.rmtree(new)

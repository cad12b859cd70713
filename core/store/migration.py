"""Migration: brings a store of an older format up to date, one part, run or sweep after the other, step by step.

Each of them states its format, so an interrupted migration can be continued. A side file, manifest or sweep is
replaced atomically. A part whose tables change is written beside the old one, which it replaces; a run whose tables
change is written as a new folder, which then takes the place of the old one.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import StoreError
from core.store.deleted import FOLDER
from core.store.files import read_json, replacing, write_json
from core.store.formats import FORMAT, check_format
from core.store.locks import changing_runs, maintenance_lock
from core.store.parts import TABLES, Part, all_parts, replaced_in, write_part
from core.store.processes import alive
from core.store.removal import folders
from core.store.store import Store

log = logging.getLogger(__name__)

PART, RUN, SWEEP = "part", "run", "sweep"
_NEW, _OLD = ".migrated", ".old"


class Contents(NamedTuple):
    """The contents of a part, run or sweep: its JSON object, and its tables by name, read on access."""

    about: dict[str, Any]
    tables: Mapping[str, pa.Table]


Step = Callable[[str, Contents], Contents]
"""Brings a `part`, `run` or `sweep` to the next format; tables that it returns unchanged are not rewritten."""

STEPS: Mapping[int, Step] = MappingProxyType({})
"""Steps by the format they start from. Format 1 is the first, so there is none yet."""


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
        about = read_json(path) or {}
        version = about.get("format")
        if version is None:
            log.warning("%s is damaged: it is left as it is.", path)
        elif isinstance(version, int) and version < FORMAT:
            found.append(Outdated(kind, path, version))
        else:
            check_format(path, about)
    return found


def migrate(store: Store, steps: Mapping[int, Step] = STEPS) -> Iterator[Outdated]:
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
    if before.about.get("state") == "running" and alive(before.about.get("pid")):
        raise StoreError(f"Run '{before.about['run_id']}' is still running: stop it first, or wait for its end.")
    after = before
    for step in steps:
        after = step(one.kind, after)
    after.about["format"] = FORMAT
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
    for name, table in contents.tables.items():
        with replacing(new / f"{name}.parquet") as temporary:
            pq.write_table(table, temporary, compression="zstd")
    write_json(new / "manifest.json", contents.about)
    folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old)


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

"""Integrity checks: the seal of every document, the sha256 of every table; what is mended, and what is lost."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq

from pairlens.errors import PairlensError, StoreError
from pairlens.messages import counted
from pairlens.places import program
from pairlens.settings import settings
from pairlens.store import catalog, sweeps, visitors
from pairlens.store.compaction import is_merged
from pairlens.store.files import DAMAGED, bytes_in, known_json, set_aside
from pairlens.store.jobs import all_jobs
from pairlens.store.parts import Part, all_parts, in_use, marks_in
from pairlens.store.removal import FOLDER, UNUSED, folders, leftovers, size, unused
from pairlens.store.run_annotations import FILE, annotations_of
from pairlens.store.runs import whole
from pairlens.store.store import Store

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of `verify`: numbers of intact parts and their requests; damaged files that are set aside, those of
    `runs` that only another run restores, and those that are `mended`.
    """

    parts: int
    requests: int
    damaged: tuple[Path, ...]
    runs: tuple[Path, ...]
    mended: tuple[Path, ...]


def verify(store: Store, recompute: Callable[[Store, str], None] | None = None) -> Finding:
    """Check every file. Damaged parts, sweeps, jobs and tags are set aside; `recompute` makes numbers again."""
    intact: list[Part] = []
    for folder in folders(store):
        intact += [part for part in store.parts(folder.name) if part.whole()]
    runs, mended = list[Path](), list[Path]()
    for path in list(_damaged_files(store)):
        if recompute and path.name == "metrics.parquet":
            with suppress(PairlensError, LookupError, TypeError, ValueError):  # its items are damaged too, or newer
                recompute(store, path.parent.name)
                mended.append(path)
                continue
        runs.append(path)
    if not catalog.is_intact(store):
        try:
            mended.append(catalog.build(store))
        except StoreError:  # from damaged runs it cannot be built
            set_aside(store.folder / "results.duckdb")
    for path in _of_runs(store, FILE):
        annotations_of(store, path.parent.name)
    sweeps.sweeps(store)
    all_jobs()
    requests = sum(part.about["requests"] for part in intact)
    return Finding(len(intact), requests, tuple(_aside(store)), tuple(runs), tuple(mended))


def damage(store: Store) -> list[str]:
    """What people must be told of damage to runs, sweeps and jobs: a sentence for each kind. Tables are not read."""
    sentences = []
    if runs := store.damaged_runs():
        sentences.append(
            f"{counted(len(runs), 'run')} cannot be shown, because manifest.json is damaged: {_some(runs)}. Start "
            f"the same run again, which restores it from the stored scores, or delete it ({program()} runs delete "
            f"{runs[0]})."
        )
    lost = [path.parent.name for path in _of_runs(store, FILE.replace(".json", DAMAGED))]
    if lost := sorted(visitors.listed("runs", lost)):
        sentences.append(f"Tags and notes were damaged and are gone: of {counted(len(lost), 'run')} ({_some(lost)}).")
    others = [path for path in _aside(store) if path.parent.name == "sweeps" or path.name == f"job{DAMAGED}"]
    if others and visitors.current() == visitors.EVERYTHING:
        sentences.append(f"Records of sweeps or jobs were damaged and are set aside: {_some([*map(str, others)])}.")
    return sentences


def _damaged_files(store: Store) -> Iterator[Path]:
    """Manifests and tables of runs that are not what was written."""
    damaged = store.damaged_runs(visitors.EVERYTHING)
    for path in _of_runs(store, "manifest.json"):
        if path.parent.name in damaged:
            yield path
            continue
        with suppress(FileNotFoundError):  # deleted a moment ago
            stated = [path.with_name(f"{name}.parquet") for name in (known_json(path) or {}).get("sha256", {})]
            for table in sorted({*stated, *path.parent.glob("[!.]*.parquet")}):
                try:
                    with whole(table):
                        pq.read_table(table)
                except (StoreError, FileNotFoundError):
                    yield table


def _of_runs(store: Store, file: str) -> list[Path]:
    return sorted((store.folder / "runs").glob(f"[!.]*/{file}"))


def _aside(store: Store) -> list[Path]:
    files = [store.folder.glob(f"{below}*{DAMAGED}") for below in ("", "scores/*/", "runs/[!.]*/", "sweeps/")]
    return sorted([*chain(*files), *settings().jobs.glob(f"*/*{DAMAGED}")])


def _some(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")


NO_RUN = "no run"


@dataclass(frozen=True, slots=True)
class Space:
    """Disk usage in bytes: `scores`, a row per model and task (or tasks, if a part serves several; `no run` if none)
    with numbers of parts and requests, and `others` by label, `replaced` parts among them. `unused` of all this would
    be deleted now. `small` parts could be merged.
    """

    scores: pd.DataFrame
    others: Mapping[str, int]
    replaced: int
    unused: int
    small: int

    @property
    def total(self) -> int:
        return sum(self.others.values()) + int(self.scores["bytes"].sum())


def space(store: Store) -> Space:
    rows: list[tuple[object, ...]] = []
    replaced = aside = small = 0
    old = sum(map(_bytes, unused(store)))
    runs = store.runs(visitors.EVERYTHING)
    for folder in folders(store):
        there = all_parts(folder)
        parts = in_use(there)
        replaced += sum(map(_bytes, there)) - sum(map(_bytes, parts))
        small += sum(not is_merged(part) for part in parts) if len(parts) > 1 else 0
        # damaged parts, and old files of killed processes
        sides = [path for ending in ("damaged", UNUSED[1:]) for path in folder.glob(f"[!.]*.{ending}")]
        of_sides = {path for side in sides for path in (side, *Part(side.with_suffix(".json"), {}).files())}
        aside += bytes_in(of_sides | {*leftovers(folder)})
        old += bytes_in(leftovers(folder))
        of_model = runs[runs["fingerprint"] == folder.name]
        model = of_model["model"].iloc[0] if len(of_model) else ""
        marks = []
        for run_id, task in zip(of_model["run_id"], of_model["task"], strict=True):
            items = store.folder / "runs" / str(run_id) / "items.parquet"
            if items.exists():
                with whole(items):
                    marks.append((str(task), marks_in(items)))
        for part in parts:
            tasks = {task for task, of_run in marks if part.scores_with(of_run)}
            name = str(model or parts[0].about["provenance"].get("model", "unknown"))
            rows.append((name, ", ".join(sorted(tasks)) or NO_RUN, 1, part.about["requests"], _bytes(part)))
    table = pd.DataFrame(rows, columns=["model", "task", "parts", "requests", "bytes"])
    table = table.groupby(["model", "task"], as_index=False).sum().sort_values("bytes", ascending=False)
    of_runs, deleted = size(store.folder / "runs"), size(store.folder / "runs" / FOLDER)
    others = {
        "runs": of_runs - deleted,
        "deleted runs, kept today": deleted,
        "joined parts, soon deleted": replaced,
        "damaged parts and leftovers": aside,
        "results.duckdb": bytes_in([store.folder / "results.duckdb"]),
    }
    return Space(table.reset_index(drop=True), others, replaced, old, small)


def _bytes(part: Part) -> int:
    return bytes_in(part.files())

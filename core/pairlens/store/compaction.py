"""Compaction: merges the many small parts that scoring leaves into a few large ones, sorted for quick look-ups.

The rows that count stay the same. Parts differ in kind: masses at word ends, temperatures, token rows or sums only. A
request in several parts of one kind is kept once, from the part whose name sorts first; one in parts of several kinds
in each, and names keep their order: `0-merged-...` for what counts first (but for rescored parts), `z-merged-1-...`
and so on for what counts next. Requests that no run refers to go to parts of their own.

Readers and writers need not stop. The side file of the last new part lists the parts that all of them replace, which
then go out of use at once. A process that is killed before leaves duplicates at worst, which count as before and
which the next compaction merges.
"""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pairlens.identity import canonical, dataset_hash
from pairlens.store.parts import (
    COLUMNS,
    TOKENS,
    Part,
    Provenance,
    all_parts,
    in_use,
    joined,
    marks,
    sources,
    write_part,
)
from pairlens.store.removal import delete_replaced, folders, marks_named
from pairlens.store.store import Store, maintenance_lock

FULL = 1_000_000
_FIRST, _LATER = "0-merged", "z-merged-{rank}"


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result for a fingerprint: the number of parts before and after, and of duplicate rows."""

    before: int
    after: int
    duplicates: int


Taken = tuple[Part, pa.Array]
"""A verified part and the keys of its requests that are kept."""


def compact(store: Store) -> Iterator[Compacted]:
    """Merge the parts of each fingerprint that has too many; yields after each. Replaced ones are deleted first."""
    with maintenance_lock(store):
        delete_replaced(store)
        for folder in folders(store):
            yield _compact(store, folder)


def _compact(store: Store, folder: Path) -> Compacted:
    there = all_parts(folder)
    parts = [part for part in in_use(there) if part.whole()]
    if not parts:
        return Compacted(0, 0, 0)
    held = _held(parts, marks_named(store))
    by_part = held.assign(alone=~held["key"].duplicated(keep=False)).groupby("part")
    fits = by_part["alone"].all() & (by_part["tokens"].sum() >= FULL / 2) & (by_part["named"].nunique() == 1)
    settled = [number for number, part in enumerate(parts) if fits[number] and is_merged(part)]
    loose = held[~held["part"].isin(settled)]
    counting = loose.drop_duplicates(["key", "kind", "rows"])
    counting = counting.assign(rank=counting.groupby("key").cumcount())
    groups = list(_groups(counting, parts))
    mixed = bool((loose.groupby("part")["named"].nunique() > 1).any())  # with a run, and without one
    if len(groups) >= loose["part"].nunique() and len(counting) == len(loose) and not mixed:
        return Compacted(len(parts), len(parts), 0)
    names = sorted(parts[number].name for number in settled)  # of those that stay and, in the end, of all
    replaced = {part.name: part.content for part in there if part.name not in names}
    stay = [*names]
    for number, (rank, taken) in enumerate(groups, start=1):
        tables, about = _merged(taken)
        digest = dataset_hash([*stay, *replaced, *tables["scores"]["request_key"].to_pylist()])[:20]
        name = f"{_LATER.format(rank=rank) if rank else _FIRST}-{digest}"
        if number == len(groups):  # the last new part states that all of these replace the others
            about["replaces"] = {"parts": replaced, "with": [*names], "at": time.time()}
        side = write_part(folder / f"{name}.json", tables, about).side
        newest = max(part.side.stat().st_mtime for part, _ in taken)
        os.utime(side, (newest, newest))  # cleaning asks how old the scores are
        names.append(name)
    return Compacted(len(parts), len(names), len(loose) - len(counting))


def _held(parts: Sequence[Part], named: NDArray[np.uint64]) -> pd.DataFrame:
    """One row per part and request: `request_key`, `key` (a number), the numbers of `part` and its `kind`, how many
    `rows` of scores and `tokens`, and whether a run has `named` it. Of two parts the first by name counts.
    """
    kinds: dict[str, int] = {}
    tables = []
    for number, part in enumerate(parts):
        scores = pq.read_table(part.file("scores"), columns=["request_key", "n_tokens"]).group_by("request_key")
        counted = scores.aggregate([([], "count_all"), ("n_tokens", "max")])
        by_token = pq.read_metadata(part.file("tokens")).num_rows > 0
        answers = canonical([part.about["boundary"], part.about["temperatures"], by_token])
        kind = kinds.setdefault(answers, len(kinds))
        for name, value in (("part", number), ("kind", kind)):
            counted = counted.append_column(name, pa.array(np.full(len(counted), value)))
        tables.append(counted)
    table = pa.concat_tables(tables)
    keys = table["request_key"].combine_chunks()
    frame: pd.DataFrame = table.rename_columns({"count_all": "rows", "n_tokens_max": "tokens"}).to_pandas()
    frame["key"] = keys.dictionary_encode().indices.to_numpy()
    frame["named"] = np.isin(marks(keys), named)
    return frame


def is_merged(part: Part) -> bool:
    return part.name.startswith((_FIRST, _LATER[:8]))


def _groups(counting: pd.DataFrame, parts: Sequence[Part]) -> Iterator[tuple[int, list[Taken]]]:
    """The sources of each new part, older first, with its rank: how many parts before it may hold its requests."""
    written = counting["part"].map({number: part.side.stat().st_mtime for number, part in enumerate(parts)})
    ordered = counting.assign(written=written).sort_values(["rank", "written", "part"], kind="stable")
    for _, group in ordered.groupby(["rank", "kind", "named"]):
        for _, rows in group.groupby(group["tokens"].cumsum() // FULL):
            keys: Any = rows.groupby("part", sort=False)["request_key"]
            taken = [(parts[number], pa.array(of_part, pa.string())) for number, of_part in keys]
            yield int(rows["rank"].iloc[0]), taken


def _merged(taken: Sequence[Taken]) -> tuple[dict[str, pa.Table], dict[str, Any]]:
    """The tables and the side file of a part with all of these requests, alike in `boundary` and `temperatures`."""
    origins: dict[str, Provenance] = {}
    columns = []
    for part, rows in taken:
        numbers, counts = [], []
        for n, source in sources(part):
            name = canonical(source)
            origins.setdefault(name, source)
            numbers.append([*origins].index(name))
            counts.append(n)
        keys = pc.unique(pq.read_table(part.file("scores"), columns=["request_key"])["request_key"])
        columns.append(pa.table({"key": keys, "source": np.repeat(numbers, counts)}).filter(pc.is_in(keys, rows)))
    listed = pa.concat_tables(columns).sort_by([("source", "ascending"), ("key", "ascending")])
    keys = listed["key"].combine_chunks()
    counts = np.bincount(listed["source"].to_numpy(), minlength=len(origins)).tolist()
    about = {
        "requests": len(keys),
        **{name: taken[0][0].about[name] for name in ("boundary", "temperatures")},
        "provenance": joined([(n, one) for n, one in zip(counts, origins.values(), strict=True) if n]),
    }
    return {"scores": _rows(taken, "scores", keys), "tokens": _rows(taken, "tokens", keys)}, about


def _rows(taken: Sequence[Taken], name: str, keys: pa.Array) -> pa.Table:
    """All rows of the kept requests of these parts, in the order of these keys, then by temperature or position."""
    tables = []
    for part, n_rows in taken:
        rows = pq.read_table(part.file(name)).select(COLUMNS[name].names)
        rows = rows.set_column(0, "request_key", rows["request_key"].cast(pa.string()))
        tables.append(rows.filter(pc.is_in(rows["request_key"], value_set=n_rows)))
    rows = pa.concat_tables(tables)
    places = pc.index_in(rows["request_key"], value_set=keys).to_numpy()
    within = "temperature" if name == "scores" else "position"
    order = np.lexsort((rows[within].to_numpy(), places))
    rows = rows.take(pa.array(order))
    if name == "scores":
        return rows
    sorted_keys = pa.DictionaryArray.from_arrays(pa.array(places[order], pa.int32()), keys)
    return rows.set_column(0, TOKENS.field("request_key"), sorted_keys)

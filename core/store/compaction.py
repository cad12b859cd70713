"""Compaction: merges the many small parts that scoring leaves into a few large ones, sorted for quick look-ups.

The rows that count stay the same. Parts differ in kind: masses at word ends, temperatures, token rows or sums only. A
request in several parts of one kind is kept once, from the part whose name sorts first. A request in parts of several
kinds is kept in each, and the names of the new parts keep their order: `0-merged-...` for what counts first, before
all other parts but rescored ones; `z-merged-1-...` and so on, after all other parts, for what counts next. Requests
that no run refers to go to parts of their own, so that cleaning can delete them.

Readers and writers need not stop. New parts are published in the order of their names; the side file of the last one
lists the parts that all of them replace, which then go out of use at once. A process that is killed before leaves
duplicates at worst, which count as before and which the next compaction merges.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.identity import canonical, dataset_hash
from core.store.parts import SCORES, TOKENS, Part, Provenance, all_parts, in_use, joined, marks, sources, write_part
from core.store.removal import delete_replaced, marks_named
from core.store.store import Store, maintenance_lock

FULL = 1_000_000
"""The approximate number of token rows of a new part."""
_FIRST, _LATER = "0-merged", "z-merged-{rank}"
"""The beginnings of the names of new parts."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """The result for a fingerprint: the number of parts before and after, and of duplicate rows."""

    fingerprint: str
    before: int
    after: int
    duplicates: int


class _New(NamedTuple):
    """The sources of a new part; `rank`: the number of parts before it that may hold the same requests."""

    rank: int
    taken: list[Taken]


def compact(store: Store) -> Iterator[Compacted]:
    """Merge the parts of each fingerprint that has too many; yields after each. The rows that count stay the same.

    Replaced parts stay for `settings().replaced_minutes`; older ones are deleted first.
    """
    with maintenance_lock(store):
        delete_replaced(store)
        for fingerprint in store.fingerprints():
            yield _compact(store, fingerprint)


def _compact(store: Store, fingerprint: str) -> Compacted:
    folder = store.folder / "scores" / fingerprint
    there = all_parts(folder)
    parts = [part for part in in_use(there) if part.whole()]
    if not parts:
        return Compacted(fingerprint, 0, 0, 0)
    held = _held(parts, marks_named(store))
    settled = _settled(held, parts)
    loose = held[~held["part"].isin(settled)]
    counting = loose.drop_duplicates(["key", "kind", "rows"])
    counting = counting.assign(rank=counting.groupby("key").cumcount())
    groups = list(_groups(counting, parts))
    if not _worthwhile(loose, counting, len(groups)):
        return Compacted(fingerprint, len(parts), len(parts), 0)
    stay = {parts[number].name for number in settled}
    _publish(folder, sorted(stay), {part.name: part.content for part in there if part.name not in stay}, groups)
    return Compacted(fingerprint, len(parts), len(stay) + len(groups), len(loose) - len(counting))


def _held(parts: Sequence[Part], named: NDArray[np.uint64]) -> pd.DataFrame:
    """One row per part and request: `request_key`, `key` (a number), the numbers of `part` and its `kind`, how many
    `rows` of scores and `tokens`, and whether a run has `named` it. Parts by name: of two, the first one counts.
    """
    kinds: dict[str, int] = {}
    tables = []
    for number, part in enumerate(parts):
        scores = pq.read_table(part.file("scores"), columns=["request_key", "n_tokens"]).group_by("request_key")
        counted = scores.aggregate([([], "count_all"), ("n_tokens", "max")])
        kind = kinds.setdefault(_kind(part), len(kinds))
        for name, value in (("part", number), ("kind", kind)):
            counted = counted.append_column(name, pa.array(np.full(len(counted), value)))
        tables.append(counted)
    table = pa.concat_tables(tables)
    keys = pa.concat_arrays(table["request_key"].chunks)
    frame: pd.DataFrame = table.rename_columns({"count_all": "rows", "n_tokens_max": "tokens"}).to_pandas()
    frame["key"] = keys.dictionary_encode().indices.to_numpy()
    frame["named"] = np.isin(marks(keys), named)
    return frame


def is_merged(part: Part) -> bool:
    """Whether compaction wrote it."""
    return part.name.startswith((_FIRST, _LATER[:8]))


def _kind(part: Part) -> str:
    """The properties of a part that decide which requests it can answer."""
    tokens = pq.read_metadata(part.file("tokens")).num_rows > 0
    return canonical([part.about["boundary"], part.about["temperatures"], tokens])


def _settled(held: pd.DataFrame, parts: Sequence[Part]) -> list[int]:
    """The parts that stay: merged, at least half full, and without a request that others have, too."""
    by_part = held.assign(alone=~held["key"].duplicated(keep=False)).groupby("part")
    fits = by_part["alone"].all() & (by_part["tokens"].sum() >= FULL / 2) & (by_part["named"].nunique() == 1)
    return [number for number, part in enumerate(parts) if fits[number] and is_merged(part)]


def _worthwhile(loose: pd.DataFrame, counting: pd.DataFrame, n_new: int) -> bool:
    """Whether there will be fewer parts or rows, or requests without a run get separated from those with one."""
    return (
        n_new < loose["part"].nunique()
        or len(counting) < len(loose)
        or bool((loose.groupby("part")["named"].nunique() > 1).any())
    )


def _groups(counting: pd.DataFrame, parts: Sequence[Part]) -> Iterator[_New]:
    """The sources of each new part, in the order of ranks; within a rank, older parts first."""
    written = counting["part"].map({number: part.side.stat().st_mtime for number, part in enumerate(parts)})
    ordered = counting.assign(written=written).sort_values(["rank", "written", "part"], kind="stable")
    for _, group in ordered.groupby(["rank", "kind", "named"]):
        for _, rows in group.groupby(group["tokens"].cumsum() // FULL):
            taken = []
            for number in rows["part"].unique():
                taken.append(Taken(parts[number], pa.array(rows["request_key"][rows["part"] == number], pa.string())))
            yield _New(int(rows["rank"].iloc[0]), taken)


def _publish(folder: Path, settled: list[str], replaced: dict[str, str], groups: Sequence[_New]) -> None:
    """Write the new parts; the last one states that they and the settled ones replace the others."""
    names: list[str] = []
    for number, (rank, taken) in enumerate(groups, start=1):
        tables, about = _merged(taken)
        digest = dataset_hash([*settled, *replaced, *tables["scores"]["request_key"].to_pylist()])[:20]
        name = f"{_LATER.format(rank=rank) if rank else _FIRST}-{digest}"
        if number == len(groups):
            about["replaces"] = {"parts": replaced, "with": [*settled, *names], "at": time.time()}
        side = write_part(folder / f"{name}.json", tables, about).side
        newest = max(one.part.side.stat().st_mtime for one in taken)
        os.utime(side, (newest, newest))  # cleaning asks how old the scores are
        names.append(name)


class Taken(NamedTuple):
    """A verified part and the keys of its requests that are kept."""

    part: Part
    keys: pa.Array


def _merged(taken: Sequence[Taken]) -> tuple[dict[str, pa.Table], dict[str, Any]]:
    """The tables of a part with all of these requests, which are distinct, and the contents of its side file.

    The parts must agree in `boundary` and `temperatures`.
    """
    origins: dict[str, Provenance] = {}
    columns = [_with_sources(one, origins) for one in taken]
    source_of = np.concatenate([numbers for _, numbers in columns])
    listed = pa.table({"key": pa.concat_arrays([keys for keys, _ in columns]), "source": source_of})
    listed = listed.sort_by([("source", "ascending"), ("key", "ascending")])
    keys = listed["key"].combine_chunks()
    tables = {
        "scores": _scores([_kept(one, "scores") for one in taken], keys),
        "tokens": _tokens([_kept(one, "tokens") for one in taken], keys),
    }
    counts = np.bincount(listed["source"].to_numpy(), minlength=len(origins)).tolist()
    about = {
        "requests": len(keys),
        "boundary": taken[0].part.about["boundary"],
        "temperatures": taken[0].part.about["temperatures"],
        "provenance": joined([(n, one) for n, one in zip(counts, origins.values(), strict=True) if n]),
    }
    return tables, about


def _with_sources(one: Taken, origins: dict[str, Provenance]) -> tuple[pa.Array, NDArray[np.int64]]:
    """The kept requests and the number of each one's source in `origins`, to which new sources are added."""
    numbers, counts = [], []
    for n, source in sources(one.part):
        name = canonical(source)
        origins.setdefault(name, source)
        numbers.append([*origins].index(name))
        counts.append(n)
    keys = pc.unique(pq.read_table(one.part.file("scores"), columns=["request_key"])["request_key"])
    counting = pc.is_in(keys, value_set=one.keys)
    return keys.filter(counting), np.repeat(numbers, counts)[counting.to_numpy(zero_copy_only=False)]


def _kept(one: Taken, table: str) -> pa.Table:
    """The rows of the kept requests."""
    rows = pq.read_table(one.part.file(table))
    keys = rows["request_key"]
    if pa.types.is_dictionary(keys.type):
        keys = keys.cast(pa.string())
    return rows if len(one.keys) == one.part.about["requests"] else rows.filter(pc.is_in(keys, value_set=one.keys))


def _scores(tables: Sequence[pa.Table], keys: pa.Array) -> pa.Table:
    """All rows in the order of these keys."""
    rows = pa.concat_tables(tables).select(SCORES.names)
    places = pc.index_in(rows["request_key"], value_set=keys).to_numpy()
    return rows.take(pa.array(np.lexsort((rows["temperature"].to_numpy(), places))))


def _tokens(tables: Sequence[pa.Table], keys: pa.Array) -> pa.Table:
    """All rows in the order of these keys, by position; the keys become the column's dictionary."""
    rows = pa.concat_tables(tables).select(TOKENS.names).unify_dictionaries().combine_chunks()
    if not len(rows):
        return TOKENS.empty_table()
    named = rows["request_key"].chunk(0)
    places = pc.index_in(named.dictionary, value_set=keys).take(named.indices).to_numpy()
    order = np.lexsort((rows["position"].to_numpy(), places))
    sorted_keys = pa.DictionaryArray.from_arrays(pa.array(places[order], pa.int32()), keys)
    return rows.take(pa.array(order)).set_column(0, TOKENS.field("request_key"), sorted_keys)

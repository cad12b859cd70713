"""Several parts as one: rows sorted by source and request key, each with its provenance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from core.identity import canonical
from core.store.parts import SCORES, TOKENS, Part
from core.store.provenance import Provenance, joined, sources


class Taken(NamedTuple):
    """A verified part and the keys of its requests that are kept."""

    part: Part
    keys: pa.Array


def merge(taken: Sequence[Taken]) -> tuple[dict[str, pa.Table], dict[str, Any]]:
    """The tables of a part with all of these requests, which are distinct, and the contents of its side file.

    The parts must agree in `boundary` and `temperatures`.
    """
    found: dict[str, Provenance] = {}
    columns = [_with_sources(one, found) for one in taken]
    source_of = np.concatenate([numbers for _, numbers in columns])
    listed = pa.table({"key": pa.concat_arrays([keys for keys, _ in columns]), "source": source_of})
    listed = listed.sort_by([("source", "ascending"), ("key", "ascending")])
    keys = listed["key"].combine_chunks()
    tables = {
        "scores": _scores([_kept(one, "scores") for one in taken], keys),
        "tokens": _tokens([_kept(one, "tokens") for one in taken], keys),
    }
    counts = np.bincount(listed["source"].to_numpy(), minlength=len(found)).tolist()
    about = {
        "requests": len(keys),
        "boundary": taken[0].part.about["boundary"],
        "temperatures": taken[0].part.about["temperatures"],
        "provenance": joined([(n, one) for n, one in zip(counts, found.values(), strict=True) if n]),
    }
    return tables, about


def _with_sources(one: Taken, found: dict[str, Provenance]) -> tuple[pa.Array, NDArray[np.int64]]:
    """The kept requests and the number of each one's source in `found`, to which new sources are added."""
    numbers, counts = [], []
    for n, source in sources(one.part):
        name = canonical(source)
        found.setdefault(name, source)
        numbers.append([*found].index(name))
        counts.append(n)
    keys = pc.unique(pq.read_table(one.part.file("scores"), columns=["request_key"])["request_key"])
    kept = pc.is_in(keys, value_set=one.keys)
    return keys.filter(kept), np.repeat(numbers, counts)[kept.to_numpy(zero_copy_only=False)]


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

"""Rows scored elsewhere, as parts of this store. The store's own scores count before them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.identity import dataset_hash
from core.store.keys import as_array
from core.store.parts import SCORES, TOKENS, write_part
from core.store.scores import Scores, on_the_parts_of_now
from core.store.store import Store


def add_imported(
    store: Store, fingerprint: str, scores: pa.Table, tokens: pa.Table, about: Mapping[str, Any], order: int
) -> int:
    """Store the rows (columns SCORES and TOKENS) of requests that the store lacks; returns the number of requests.

    Scores that only ship with Pairlens count as lacking, since another version may not have them. `about` has the
    part's `boundary`, `temperatures` and `provenance`. Parts of one import count in their `order`, and all of them
    after the store's own: their names begin with an x, others with a hexadecimal digit.
    """
    keys = pc.unique(scores["request_key"])
    known = Scores(store.folder).known(
        fingerprint, boundary=about["boundary"], temperatures=about["temperatures"], by_token=tokens.num_rows > 0,
        keys=keys.to_pylist(),
    )  # fmt: skip
    new = keys.filter(pc.invert(pc.is_in(keys, pa.array(sorted(known), pa.string()))))
    if not len(new):
        return 0
    name = f"x-{order:04d}-{dataset_hash(sorted(new.to_pylist()))[:20]}"
    tables = {
        table: rows.filter(pc.is_in(rows["request_key"].cast(pa.string()), new)).cast(columns)
        for table, rows, columns in (("scores", scores, SCORES), ("tokens", tokens, TOKENS))
    }
    side = store.folder / "scores" / fingerprint / f"{name}.json"
    write_part(side, tables, {"requests": len(new), **about})
    return len(new)


@on_the_parts_of_now
def keep_shipped(store: Store, fingerprint: str, keys: Collection[str]) -> int:
    """Copy the shipped scores of these requests that the store lacks; returns the number of requests.

    A run refers to scores without owning them: those that only ship would be gone with the next version.
    """
    if store.shipped is None:
        return 0
    copied, named = 0, pc.field("request_key").isin(as_array(keys))
    for order, (part, scores) in enumerate(Scores(store.shipped).verified(fingerprint, "scores", keys)):
        if tokens := part.verified("tokens"):
            sums, rows = (pq.read_table(path, filters=named) for path in (scores, tokens))
            about = {name: part.about[name] for name in ("boundary", "temperatures", "provenance")}
            copied += add_imported(store, fingerprint, sums, rows, about, order)
    return copied

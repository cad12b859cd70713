"""An answer from the store: to a query in SQL, or to a saved query with its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.errors import InputError
from core.store import Store
from core.store.answer import Answer
from core.store.sandbox import ask, limits, why_off
from core.store.saved_queries import bound, fingerprints, saved_query


def answered(
    store: Store,
    sql: str = "",
    name: str = "",
    values: Mapping[str, str] | None = None,
    rows: int = 0,
    seconds: float = 0.0,
) -> Answer:
    """The answer to `sql`, or to the saved query with that name; `values` are for its parameters.

    At most so many rows and seconds; 0 stands for the limits of the settings. InputError if queries are off or there
    is no answer, PolicyError for an unknown query or parameter.
    """
    if why := why_off(shared=False):
        raise InputError(why)
    usual = limits()
    within = replace(usual, rows=rows or usual.rows, seconds=seconds or usual.seconds)
    if not name:
        return ask(store, sql, values, within)
    query = saved_query(name)
    chosen = bound(query, store, values or {})
    return ask(store, query.sql, chosen, within, fingerprints(query, store, chosen))

"""An answer from the store: to a query in SQL, or to a ready question with its values."""

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
    """The answer to `sql`, or to the question of that name; `values` are for its parameters.

    At most so many rows and seconds, 0 for those of the settings. InputError where queries are off or there is no
    answer, PolicyError for an unknown question or parameter.
    """
    if why := why_off(shared=False):
        raise InputError(why)
    usual = limits()
    within = replace(usual, rows=rows or usual.rows, seconds=seconds or usual.seconds)
    if not name:
        return ask(store, sql, values, within)
    asked = saved_query(name)
    chosen = bound(asked, store, values or {})
    return ask(store, asked.sql, chosen, within, fingerprints(asked, store, chosen))

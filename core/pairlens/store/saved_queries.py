"""Saved queries: SQL with named parameters (`saved_queries.toml`). Values are bound, never pasted into the text."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pairlens.errors import InputError, PolicyError, unknown

if TYPE_CHECKING:
    from pairlens.store import Store
    from pairlens.store.sandbox import Answer

_NOT_SQL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)
_OVERALL = "overall"
_KINDS_OF_RUNS = ("run", "other_run")
_NUMBERS: Mapping[str, Callable[[str], float]] = {"integer": int, "number": float}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a query. `kind`: text, integer, number, or what in the store it is chosen from."""

    name: str
    kind: str
    label: str
    default: str = ""

    def typed(self, text: str) -> str | float:
        """The value to be bound; PolicyError if it should be a number and is not."""
        if self.kind not in _NUMBERS:
            return text
        try:
            return _NUMBERS[self.kind](text)
        except ValueError:
            raise PolicyError(f"{self.label} ({self.name}) needs a number, found '{text}'.") from None


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """SQL with `$name` for every parameter; `chart` names the columns of a chart's x and y axes, if one helps."""

    name: str
    title: str
    about: str
    sql: str
    parameters: tuple[Parameter, ...] = ()
    chart: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, entry: Mapping[str, Any]) -> SavedQuery:
        """From its entry in the file."""
        parameters = [Parameter(parameter, **one) for parameter, one in entry.get("parameters", {}).items()]
        chart = tuple(entry.get("chart", ()))
        return cls(name, entry["title"], entry["about"], entry["sql"].strip(), tuple(parameters), chart)


SAVED_QUERIES: Mapping[str, SavedQuery] = {
    name: SavedQuery.of(name, entry)
    for name, entry in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).items()
}


def saved_query(name: str) -> SavedQuery:
    """The saved query with that name, with hyphens or not; PolicyError names the nearest."""
    query = SAVED_QUERIES.get(name.replace("-", "_"))
    if query is None:
        raise PolicyError(unknown("saved query", name, SAVED_QUERIES))
    return query


def choices(parameter: Parameter, store: Store, chosen: Mapping[str, str]) -> Mapping[str, str]:
    """The values to choose a parameter from, with labels, the usual one first; `chosen` are the parameters before it.

    Finished runs come newest first, others than the chosen one with those of its data and task first. Metrics and
    groups are those of the chosen run, `overall` last.
    """
    kind, first = parameter.kind, chosen.get("run", "")
    if kind in ("metric", "group_by"):
        if not first:
            return {}
        metrics = store.metrics(first)
        metrics = metrics[metrics["over"] == "items"] if "over" in metrics else metrics
        values = [str(value) for value in metrics["name" if kind == "metric" else kind].unique()]
        return {value: value for value in sorted(values, key=lambda value: value == _OVERALL)}
    if kind not in (*_KINDS_OF_RUNS, "task"):
        return {}
    done = store.runs().query("state == 'done'")
    if kind == "task":
        return {task: task for task in done["task"].unique()}
    named = zip(done["run_id"], done["model"], done["title"], strict=True)
    runs = {str(run_id): f"{model} · {title} · {run_id}" for run_id, model, title in named}
    if kind == "run" or first not in runs:
        return runs
    alike = ("task", "data_hash")
    wanted = [store.manifest(first).get(field) for field in alike]
    others = [run_id for run_id in runs if run_id != first]
    others.sort(key=lambda run_id: [store.manifest(run_id).get(field) for field in alike] != wanted)
    return {run_id: runs[run_id] for run_id in others}


def bound(query: SavedQuery, store: Store, chosen: Mapping[str, str]) -> dict[str, str | float]:
    """The parameters of a query: the given values, else the usual ones, empty where the store has none to choose
    from. PolicyError for an impossible one.
    """
    names = [parameter.name for parameter in query.parameters]
    for name in chosen:
        if name not in names:
            raise PolicyError(unknown("parameter", name, names))
    values: dict[str, str] = {}
    for parameter in query.parameters:
        possible = choices(parameter, store, values)
        value = chosen.get(parameter.name) or next(iter(possible), parameter.default)
        if possible and value not in possible:
            raise PolicyError(unknown(parameter.label.lower(), value, possible))
        values[parameter.name] = value
    return {parameter.name: parameter.typed(values[parameter.name]) for parameter in query.parameters}


def fingerprints(query: SavedQuery, store: Store, values: Mapping[str, object]) -> set[str] | None:
    """The fingerprints of the runs among the parameters, whose scores suffice; None if there are no such runs."""
    runs = [str(values[parameter.name]) for parameter in query.parameters if parameter.kind in _KINDS_OF_RUNS]
    return {one for run_id in runs if run_id for one in store.fingerprints_of(run_id)} if runs else None


def placeholders(sql: str) -> list[str]:
    """The names of a query's parameters (`$name`), in order, each once."""
    return list(dict.fromkeys(re.findall(r"\$([A-Za-z_]\w*)", _NOT_SQL.sub(" ", sql))))


def answered(
    store: Store,
    sql: str = "",
    name: str = "",
    values: Mapping[str, str] | None = None,
    rows: int = 0,
    seconds: float = 0.0,
) -> Answer:
    """The answer to `sql`, or to the saved query with that name, in at most so many rows and seconds (0: the
    settings').

    InputError if queries are off or there is no answer, PolicyError for an unknown query or parameter.
    """
    from pairlens.store.sandbox import ask, limits, why_off

    if why := why_off(shared=False):
        raise InputError(why)
    usual = limits()
    within = replace(usual, rows=rows or usual.rows, seconds=seconds or usual.seconds)
    if not name:
        return ask(store, sql, values, within)
    query = saved_query(name)
    chosen = bound(query, store, values or {})
    return ask(store, query.sql, chosen, within, fingerprints(query, store, chosen))

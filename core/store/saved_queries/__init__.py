"""Saved queries: SQL with named parameters, one file each.

A file has a `title`, `about` (a sentence on the answer), `sql`, the columns of a `chart` where one helps, and
`parameters`, in the order in which users choose. Values are always bound, never pasted into the text.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from core.errors import InputError, PolicyError, unknown

if TYPE_CHECKING:
    from core.store import Store
    from core.store.sandbox import Answer

Choices = Mapping[str, str]
_NOT_SQL = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*|/\*.*?\*/", re.DOTALL)
_OVERALL = "overall"
_KINDS_OF_RUNS = ("run", "other_run")
_NUMBERS: Mapping[str, Callable[[str], float]] = {"integer": int, "number": float}
_FILES = sorted(Path(__file__).parent.glob("*.toml"))


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


def _read(file: Path) -> SavedQuery:
    entry = tomllib.loads(file.read_text("utf-8"))
    parameters = tuple(
        Parameter(name, one["kind"], one["label"], str(one.get("default", "")))
        for name, one in entry.get("parameters", {}).items()
    )
    return SavedQuery(
        file.stem, entry["title"], entry["about"], entry["sql"].strip(), parameters, tuple(entry.get("chart", ()))
    )


SAVED_QUERIES: Mapping[str, SavedQuery] = MappingProxyType({file.stem: _read(file) for file in _FILES})
"""By name."""


def saved_query(name: str) -> SavedQuery:
    """The saved query with that name, with hyphens or not; PolicyError names the nearest."""
    query = SAVED_QUERIES.get(name.replace("-", "_"))
    if query is None:
        raise PolicyError(unknown("saved query", name, SAVED_QUERIES))
    return query


def choices(parameter: Parameter, store: Store, chosen: Mapping[str, str]) -> Choices:
    """The possible values of a parameter, with labels, the usual one first; `chosen` are the parameters before it.

    Empty if it is not chosen from the store, or the store has nothing to choose from.
    """
    return _FROM_STORE[parameter.kind](store, chosen) if parameter.kind in _FROM_STORE else {}


def bound(query: SavedQuery, store: Store, chosen: Mapping[str, str]) -> dict[str, str | float]:
    """The parameters of a query: the given values, else the usual ones. PolicyError for an impossible one.

    If the store has nothing to choose from, the value is empty, and so will be the answer.
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


def _runs(store: Store, chosen: Mapping[str, str]) -> Choices:  # noqa: ARG001
    """Finished runs, newest first."""
    runs = store.runs().query("state == 'done'")
    named = zip(runs["run_id"], runs["model"], runs["title"], strict=True)
    return {str(run_id): f"{model} · {title} · {run_id}" for run_id, model, title in named}


def _other_runs(store: Store, chosen: Mapping[str, str]) -> Choices:
    """Finished runs other than the chosen one; those with the same data and task first."""
    runs = _runs(store, chosen)
    first = chosen.get("run", "")
    if first not in runs:
        return runs
    alike = ("task", "data_hash")
    wanted = [store.manifest(first).get(field) for field in alike]
    others = [one for one in runs if one != first]
    others.sort(key=lambda one: [store.manifest(one).get(field) for field in alike] != wanted)
    return {one: runs[one] for one in others}


def _tasks(store: Store, chosen: Mapping[str, str]) -> Choices:  # noqa: ARG001
    return {task: task for task in store.runs().query("state == 'done'")["task"].unique()}


def _column_of_metrics(column: str) -> Callable[[Store, Mapping[str, str]], Choices]:
    """The values in a column of the chosen run's metrics, in its order, with `overall` last."""

    def found(store: Store, chosen: Mapping[str, str]) -> Choices:
        if not chosen.get("run"):
            return {}
        metrics = store.metrics(chosen["run"])
        metrics = metrics[metrics["over"] == "items"] if "over" in metrics else metrics
        values = [str(value) for value in metrics[column].unique()]
        return {value: value for value in sorted(values, key=lambda value: value == _OVERALL)}

    return found


_FROM_STORE: Mapping[str, Callable[[Store, Mapping[str, str]], Choices]] = MappingProxyType(
    {
        "run": _runs,
        "other_run": _other_runs,
        "task": _tasks,
        "metric": _column_of_metrics("name"),
        "group_by": _column_of_metrics("group_by"),
    }
)


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
    from core.store.sandbox import ask, limits, why_off

    if why := why_off(shared=False):
        raise InputError(why)
    usual = limits()
    within = replace(usual, rows=rows or usual.rows, seconds=seconds or usual.seconds)
    if not name:
        return ask(store, sql, values, within)
    query = saved_query(name)
    chosen = bound(query, store, values or {})
    return ask(store, query.sql, chosen, within, fingerprints(query, store, chosen))

"""Lessons from files: TOML with all fields, or a table with a row per step."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from core.errors import InputError, unknown
from core.files import tables
from core.studies.lesson.lesson import EXPECTED, Lesson, Step

_MOST_BYTES = 1_000_000
_PAIR = (("a", "b"), ("A", "B"), ("good", "bad"), ("sentence_good", "sentence_bad"))
"""Columns of a table in which the sentences of a pair stand; under the last two names A is expected."""


def read(path: Path) -> Lesson:
    """The lesson in a .toml file, or in a table with columns a and b (or prefix and forms, divided by |).

    InputError, with the step, for anything that is no lesson.
    """
    if path.suffix.lower() == ".toml":
        return _from_toml(path)
    table = tables.read_table(path)
    steps = tuple(_of_row(row, f"{tables.label(path)}, row {n}") for n, row in _rows(table))
    if not steps:
        raise InputError("a lesson needs at least one step", tables.label(path))
    return Lesson(path.stem.replace("_", " ").replace("-", " "), steps)


def written(lesson: Lesson) -> str:
    """The lesson as TOML that `read` reads."""
    head = [_line(field.name, getattr(lesson, field.name)) for field in fields(Lesson) if field.name != "steps"]
    steps = [
        "\n[[step]]\n" + "".join(_line(field.name, getattr(step, field.name)) for field in fields(Step))
        for step in lesson.steps
    ]
    return "".join(head + steps)


def _line(name: str, value: Any) -> str:
    """A line of TOML, whose strings and lists of strings are written like JSON's; none for an empty value."""
    listed = list(value) if isinstance(value, tuple) else value
    return f"{name} = {json.dumps(listed, ensure_ascii=False)}\n" if value else ""


def _from_toml(path: Path) -> Lesson:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InputError("a lesson of more than a megabyte", str(path))
        found = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"this is not TOML: {' '.join(str(error).split())}", str(path)) from None
    entries = found.pop("step", None)
    if not isinstance(entries, list) or not entries:
        raise InputError("a lesson needs at least one [[step]]", str(path))
    given = _checked(found, Lesson, str(path))
    if "title" not in given:
        raise InputError("'title' is missing", str(path))
    steps = tuple(_step(entry, f"{path}, step {n}") for n, entry in enumerate(entries, start=1))
    return Lesson(steps=steps, **given)


def _rows(table: Any) -> Iterator[tuple[int, Mapping[str, str]]]:
    for number, row in zip(tables.row_numbers(table), table.to_dict("records"), strict=True):
        yield number, {str(name): str(value).strip() for name, value in row.items() if value is not None}


def _of_row(row: Mapping[str, str], where: str) -> Step:
    known = {field.name for field in fields(Step)}
    entry: dict[str, Any] = {name: value for name, value in row.items() if name in known and value}
    for first, second in _PAIR:
        if row.get(first) and row.get(second):
            entry["pair"] = [row[first], row[second]]
            if first not in ("a", "A"):
                entry.setdefault("expected", "A")
            break
    if "forms" in entry:
        entry["forms"] = [form.strip() for form in entry["forms"].split("|")]
    return _step(entry, where)


def _step(entry: object, where: str) -> Step:
    if not isinstance(entry, Mapping):
        raise InputError("expected is a table, [[step]]", where)
    given = _checked(entry, Step, where)
    if ("pair" in given) == bool(given.get("prefix")):
        raise InputError('a step has either pair = ["sentence A", "sentence B"] or prefix = "a beginning"', where)
    if "pair" in given and (len(given["pair"]) != 2 or not all(text.strip() for text in given["pair"])):
        raise InputError("'pair' should be two sentences", where)
    if "pair" in given and given["pair"][0] == given["pair"][1]:
        raise InputError("the two sentences of the pair are the same", where)
    expected, choices = given.get("expected", ""), EXPECTED if "pair" in given else given.get("forms", ())
    if expected and expected not in choices:
        raise InputError(unknown("expected answer", expected, choices), where)
    return Step(**given)


def _checked(given: Mapping[str, Any], kind: type[Lesson | Step], where: str) -> dict[str, Any]:
    """The fields, lists as tuples; InputError for an unknown name or a value of another kind."""
    defaults = {field.name: field.default for field in fields(kind) if field.name != "steps"}
    for name, value in given.items():
        if name not in defaults:
            raise InputError(unknown("field", name, defaults), where)
        if name in ("pair", "forms"):
            if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                raise InputError(f"'{name}' should be a list of texts", where)
        elif name == "minutes":
            if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= 600:
                raise InputError("'minutes' should be a number from 1 to 600", where)
        elif not isinstance(value, str):
            raise InputError(f"'{name}' should be a text", where)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}

"""What a lesson is, and lessons from files: TOML with all fields, or a table with a row per step.

Those that ship are in `data/lessons`, with what the bundled models really do on their items.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from pairlens.errors import InputError, unknown
from pairlens.files import tables
from pairlens.places import bundled
from pairlens.text import visible

EXPECTED = ("A", "B", "none")
"""Which sentence of a pair a competent speaker prefers; `none` where both are fine."""


@dataclass(frozen=True, slots=True)
class Step:
    """One question to the class: which of two sentences is better, or which word comes next.

    A step has either `pair`, sentences A and B, or `prefix`, the beginning of a sentence; `forms` are words to choose
    from after it, and without them any word may be guessed. `expected` is one of `EXPECTED` for a pair and one of the
    forms, or empty, after a prefix. `notice`, what is to be noticed, is shown after the answer; `reference` is the
    source of the phenomenon.
    """

    pair: tuple[str, str] | None = None
    prefix: str = ""
    forms: tuple[str, ...] = ()
    question: str = ""
    expected: str = ""
    notice: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Steps in order, under a title; `model` answers, `minutes` is how long it is meant to take."""

    title: str
    steps: tuple[Step, ...]
    about: str = ""
    language: str = "en"
    model: str = ""
    minutes: int = 45


_MOST_BYTES, _MOST_STEPS, _MOST_FORMS, _LONGEST = 1_000_000, 60, 12, 4_000
_PAIR = (("a", "b"), ("A", "B"), ("good", "bad"), ("sentence_good", "sentence_bad"))
"""Columns of a table in which the sentences of a pair stand; under the last two names A is expected."""


def read(path: Path) -> Lesson:
    """A lesson in .toml, or a table with a and b, or prefix and forms (parted by |); InputError, with the step."""
    size = path.stat().st_size if path.is_file() else 0
    if size and tables.ending(path) != ".parquet":  # whose reader counts by itself
        size, _ = tables.unpacked_size(path, _MOST_BYTES, _MOST_BYTES)
    if size > _MOST_BYTES:
        raise InputError("a lesson of more than a megabyte", tables.label(path))
    if path.suffix.lower() == ".toml":
        return _from_toml(path)
    table, where = tables.read_table(path), tables.label(path)
    rows = zip(tables.row_numbers(table), table.to_dict("records"), strict=True)
    steps = tuple(_of_row(row, f"{where}, row {n}") for n, row in rows)
    if not steps:
        raise InputError("a lesson needs at least one step", where)
    _refuse_many(steps, where)
    return Lesson(path.stem.replace("_", " ").replace("-", " "), steps)


def written(lesson: Lesson) -> str:
    """The lesson as TOML that `read` reads."""
    parts: Sequence[Lesson | Step] = (lesson, *lesson.steps)
    return "\n[[step]]\n".join(map(_lines, parts))


def _lines(of: Lesson | Step) -> str:
    """Values that are not empty as TOML, whose texts and lists of texts are JSON's but for one character."""
    values = {field.name: getattr(of, field.name) for field in fields(of) if field.name != "steps"}
    lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in values.items() if value)
    return "".join(lines).replace("\x7f", "\\u007f")


def _from_toml(path: Path) -> Lesson:
    where = tables.label(path)
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise InputError("there is no such file", where) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"this is not TOML: {' '.join(str(error).split())}", where) from None
    entries = content.pop("step", None)
    if not isinstance(entries, list) or not entries:
        raise InputError("a lesson needs at least one [[step]]", where)
    _refuse_many(entries, where)
    values = _checked(content, Lesson, where)
    if "title" not in values:
        raise InputError("'title' is missing", where)
    steps = tuple(_step(entry, f"{where}, step {n}") for n, entry in enumerate(entries, start=1))
    return Lesson(steps=steps, **values)


def _refuse_many(steps: Sequence[object], where: str) -> None:
    if len(steps) > _MOST_STEPS:
        raise InputError(f"a lesson of {len(steps)} steps: {_MOST_STEPS} are the most", where)


def _of_row(cells: Mapping[Any, Any], where: str) -> Step:
    row = {str(name): text for name, cell in cells.items() if cell is not None and (text := str(cell).strip())}
    known = {field.name for field in fields(Step)}
    entry: dict[str, Any] = {name: text for name, text in row.items() if name in known}
    for first, second in _PAIR:
        if {first, second} <= row.keys():
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
    values = _checked(entry, Step, where)
    if ("pair" in values) == bool(values.get("prefix", "").strip()):
        raise InputError('a step has either pair = ["sentence A", "sentence B"] or prefix = "a beginning"', where)
    reason = _wrong_pair(values["pair"], values) if "pair" in values else _wrong_forms(values.get("forms", ()))
    if reason:
        raise InputError(reason, where)
    expected, choices = values.get("expected", ""), EXPECTED if "pair" in values else values.get("forms", ())
    if expected and expected not in choices:
        raise InputError(unknown("expected answer", expected, choices), where)
    return Step(**values)


def _wrong_pair(pair: tuple[str, ...], values: Mapping[str, Any]) -> str:
    if len(pair) != 2 or not all(map(visible, pair)):
        return "'pair' should be two sentences"
    if pair[0] == pair[1]:
        return "the two sentences of the pair are the same"
    return "a pair has no 'forms': they belong to a prefix" if values.get("forms") else ""


def _wrong_forms(forms: tuple[str, ...]) -> str:
    if forms and (len(forms) < 2 or len(set(forms)) < len(forms) or not all(map(visible, forms))):
        return "'forms' should be two or more different words"
    return f"{len(forms)} forms: {_MOST_FORMS} are the most" if len(forms) > _MOST_FORMS else ""


def _checked(entry: Mapping[str, Any], kind: type[Lesson | Step], where: str) -> dict[str, Any]:
    """The fields, lists as tuples; InputError for an unknown name or a value of another kind."""
    names = [field.name for field in fields(kind) if field.name != "steps"]
    for name, value in entry.items():
        if name not in names:
            raise InputError(unknown("field", name, names), where)
        if name in ("pair", "forms"):
            fits = isinstance(value, list) and all(isinstance(text, str) for text in value)
            expected = "a list of texts"
        elif name == "minutes":
            fits, expected = type(value) is int and 0 < value <= 600, "a number from 1 to 600"
        else:
            fits, expected = isinstance(value, str), "a text"
        if not fits:
            raise InputError(f"'{name}' should be {expected}", where)
        if len(str(value)) > _LONGEST:
            raise InputError(f"'{name}' has more than {_LONGEST:,} characters", where)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()}


FOLDER = bundled("lessons")
MEASURED = "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """A model's answer to a step: what it chose, by how many bits, whether that is expected (None: nothing is)."""

    chosen: str
    bits: float | None
    right: bool | None


SKIPPED = Measured("", None, None)
"""A beginning and a model that does not read from left to right."""


def names() -> list[str]:
    """What links and files call the lessons, in the order of their menu."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@lru_cache(maxsize=16)
def shipped(name: str) -> Lesson:
    """A lesson that ships; InputError, with all of them, for an unknown name."""
    if name not in names():
        raise InputError(unknown("lesson", name, names()))
    return read(FOLDER / f"{name}.toml")


def file_of(name: str) -> Path:
    """The file of that name, or of a lesson that ships; InputError for neither."""
    if (path := Path(name)).is_file():
        return path
    if name in names():
        return FOLDER / f"{name}.toml"
    if path.suffix:
        raise InputError("there is no such file", name)
    if not name:
        raise InputError("name a lesson: " + ", ".join(["a .toml", "a table of pairs", *names()]))
    raise InputError(unknown("lesson", name, names()))


def measured(name: str, folder: Path = FOLDER) -> Mapping[str, tuple[Measured, ...]]:
    """By bundled model, its answers to the steps of a lesson that ships; empty where nothing was measured."""
    path = folder / MEASURED
    by_lesson = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {
        model: tuple(Measured(**answer) for answer in answers) for model, answers in by_lesson.get(name, {}).items()
    }

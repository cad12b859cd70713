"""What tasks are made of: records and rows with checked cells, ids of items and of clusters."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NoReturn

from pairlens.errors import InputError
from pairlens.files.tables import ending, files, kind, read_records, read_table, row_numbers
from pairlens.types import Candidate, Item, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTask(Task):
    """A task whose items a function reads, the same for whoever asks."""

    reader: Callable[[Path], Iterable[Item]]

    def read(self, path: Path) -> Iterable[Item]:
        return self.reader(path)


def pair(
    identifier: str, good: str, bad: str, groups: Mapping[str, str], labels: tuple[str, str] = ("good", "bad")
) -> Item:
    """An item of two texts, the first of which is right; their `contrast` is its last group or has its place."""
    groups = {**groups, "contrast": contrast(good, bad)}
    return Item(identifier, (Candidate(good, labels[0]), Candidate(bad, labels[1])), labels[0], groups)


def contrast(good: str, bad: str) -> str:
    """The critical contrast: the lower-cased words between common beginning and common end, as `has|have`.

    Items with the same contrast are not independent observations; intervals are clustered by it.
    """
    first, second = good.lower().split(), bad.lower().split()
    start = _shared(first, second)
    first, second = first[start:], second[start:]
    end = _shared(first[::-1], second[::-1])
    return "|".join(" ".join(words[: len(words) - end]) for words in (first, second))


def _shared(first: list[str], second: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


ENDING = ".jsonl"
_TABLES = (".csv", ".tsv", ".tab", ".xlsx", ".parquet")
_LARGEST = sys.float_info.max
_NAMED = 12
"""So many of a record's fields are named where one is missing."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a file: its fields, checked when they are asked for.

    `stem` is the file's name without its endings, `line` its number there, `where` the place as it stands in
    messages, `expected` the format in words. What a field holds is never quoted in a message, because it may be
    confidential.
    """

    fields: Mapping[str, object]
    stem: str
    line: int
    where: str
    expected: str

    def text(self, field: str) -> str:
        return self.checked_text(self._value(field), f"field '{field}'")

    def text_or(self, field: str, default: str) -> str:
        """An optional field; if present, it must hold text."""
        return self.text(field) if field in self.fields else default

    def texts(self, field: str) -> list[str]:
        values = self._value(field)
        if not isinstance(values, list):
            self.refuse(f"field '{field}' must be a list of texts, found {kind(values)}")
        return [self.checked_text(value, f"entry {number} of '{field}'") for number, value in enumerate(values, 1)]

    def number(self, field: str) -> float:
        """A field that must hold a number; one that is written as text (`"0.9"`) is read."""
        value = self._value(field)
        if isinstance(value, str):
            with suppress(ValueError):
                value = float(value)
        if not isinstance(value, int | float) or isinstance(value, bool):
            self.refuse(f"field '{field}' must be a number, found {kind(value)}")
        if not abs(value) <= _LARGEST:
            self.refuse(f"field '{field}' must be a number, found one that is too large")
        return float(value)

    def checked_text(self, value: object, what: str) -> str:
        """The value if it is a text with more than white space; `what` names it in the message if it is not."""
        if not isinstance(value, str) or not value.strip():
            self.refuse(f"{what} must be a text, found {kind(value)}")
        return value

    def refuse(self, problem: str) -> NoReturn:
        raise InputError(f"{problem}.", self.where)

    def _value(self, field: str) -> object:
        if field not in self.fields:
            names = ", ".join([*self.fields][:_NAMED]) + (", ..." if len(self.fields) > _NAMED else "")
            self.refuse(f"no field '{field}'. Expected {self.expected}; found {names or 'no field'}")
        return self.fields[field]


def records(path: Path, expected: str) -> Iterator[Record]:
    """Every record of a folder's .jsonl files, by their names, or of one file; InputError for what is none."""
    for file in files(path, (ENDING,)):
        if ending(file) in _TABLES:
            raise InputError(
                f"a table; expected JSON lines ({ENDING}). Minimal pairs (`pairs`) reads tables with a pair per row.",
                file.name,
            )
        stem = file.name[:at] if (at := file.name.lower().rfind(ENDING)) > 0 else file.name
        for line, fields in read_records(file):
            yield Record(fields, stem, line, f"{file.name}, line {line}", expected)


def table_rows(file: Path, columns: Sequence[str], noun: str) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Number, place in words and cells (empty ones too) of each row, a `noun`; InputError without column or row."""
    table = read_table(file)
    if missing := [name for name in columns if name not in table.columns]:
        raise InputError(f"no column {', '.join(missing)}. Found {', '.join(map(str, table.columns))}.", file.name)
    if table.empty:
        raise InputError(f"no {noun} below the column names.", file.name)
    texts = table[list(columns)].astype(object).where(table[list(columns)].notna(), "").map(str)
    for number, cells in zip(row_numbers(table), texts.to_numpy().tolist(), strict=True):
        yield number, f"{file.name}, row {number}", dict(zip(columns, cells, strict=True))


def filled(cells: Mapping[str, str], column: str, where: str) -> str:
    """A cell as it is; InputError if it has no text."""
    if not cells[column].strip():
        raise InputError(f"column '{column}' has no text.", where)
    return cells[column]


class Numbering:
    """Ids as in the predictions of BabyLM: the paradigm, and the item's number there from 0 in reading order."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def __call__(self, uid: str) -> str:
        number = self._counts[uid]
        self._counts[uid] += 1
        return f"{uid}_{number}"


class Clusters:
    """Names for what items share, so that intervals can be clustered by it: `1`, `2`, ... in reading order."""

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}

    def __call__(self, shared: Hashable) -> str:
        return self._names.setdefault(shared, str(len(self._names) + 1))


UNKNOWN = "unknown"


def by_language(path: Path, named: re.Pattern[str]) -> list[tuple[Path, str]]:
    """What to read, in the order of the names, and the language of each: the first group of the folder's name.

    That is every folder of `path` whose whole name fits; without any it is `path` itself, whose own name, or that of
    the folder it lies in, says the language. Else the language is `unknown`.
    """
    if path.is_dir():
        folders = sorted(folder for folder in path.iterdir() if folder.is_dir())
        if by_folder := [(folder, fits[1]) for folder in folders if (fits := named.fullmatch(folder.name))]:
            return by_folder
    own = path.resolve()
    fits = named.fullmatch(own.name if path.is_dir() else own.parent.name)
    return [(path, fits[1] if fits else UNKNOWN)]

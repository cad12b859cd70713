"""Rows of cells and JSON records as a DataFrame, within the limits on rows and columns."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from pairlens.errors import InputError
from pairlens.files import row_mistakes
from pairlens.files.tables._names import named, without_titles
from pairlens.files.tables._source import NUMBERING, label, shown
from pairlens.messages import Message, one_or_more
from pairlens.settings import settings

Row = tuple[int, int, list[str]]
"""Its number, as a spreadsheet counts; the line of the file at which it begins (of a sheet, its number); cells."""

_BATCH_CELLS = 500_000


def table_of_rows(rows: Iterator[Row], path: Path) -> pd.DataFrame:
    """All columns `str`, named by the first row (`attrs["unnamed"]`: by us), without wholly empty ones."""
    rows, unnamed = named(without_titles(rows))
    number, line, cells = next(rows, (1, 1, []))
    header = column_names(cells, in_row(number, line, path), path)
    numbers: list[int] = []
    checked = _even(rows, header, path, numbers)
    batches = []
    while batch := list(islice(checked, 1 + _BATCH_CELLS // len(header))):
        within_limits(len(numbers), len(header), path)
        batches.append(pd.DataFrame(batch, columns=header, dtype="str"))
    table = pd.concat(batches, ignore_index=True) if batches else pd.DataFrame(columns=header, dtype="str")
    unused = [name for name, cell in zip(header, cells, strict=True) if not cell.strip() and not table[name].any()]
    table = table.drop(columns=unused if len(unused) < len(header) else [])
    table.attrs |= {"unnamed": True} if unnamed else {}
    return _numbered(table, numbers)


def table_of_records(records: Iterable[tuple[int, dict[str, Any]]], path: Path) -> pd.DataFrame:
    """From records with their lines (or numbers): columns in order of first appearance; fields may be missing."""
    rows: list[dict[str, Any]] = []
    numbers: list[int] = []
    columns: dict[str, None] = {}
    for number, record in records:
        numbers.append(number)
        rows.append(record)
        columns.update(dict.fromkeys(record))
        within_limits(len(rows), len(columns), path)
    if not columns:
        raise InputError("the table has no columns.", label(path))
    return _numbered(pd.DataFrame(rows, columns=list(columns)), numbers)


def _numbered(table: pd.DataFrame, numbers: Sequence[int]) -> pd.DataFrame:
    """The table with the numbers of its rows, stored as their gaps: pandas copies `attrs` again and again."""
    if numbers:
        has_gaps = numbers[-1] - numbers[0] >= len(numbers)
        gaps = sorted({*range(numbers[0], numbers[-1])}.difference(numbers)) if has_gaps else []
        table.attrs[NUMBERING] = (numbers[0], tuple(gaps))
    return table


def within_limits(n_rows: int, n_columns: int, path: Path) -> None:
    limits = settings()
    if n_rows > limits.max_rows:
        raise InputError(f"more than {limits.max_rows:,} rows, the limit (max_rows).", label(path))
    if n_columns > limits.max_columns:
        raise InputError(f"{n_columns:,} columns; the limit is {limits.max_columns:,} (max_columns).", label(path))


def column_names(cells: list[str], where: str, path: Path) -> list[str]:
    if not cells:
        raise InputError(Message("the file is empty. Expected a header line with the column names."), label(path))
    within_limits(0, len(cells), path)
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(cells, start=1)]
    seen: set[str] = set()
    for place, name in enumerate(names, start=1):
        if name in seen:
            raise InputError(f"column {place} has the name {shown(name)} of an earlier column.", where)
        seen.add(name)
    return names


def in_row(number: int, line: int, path: Path) -> Message:
    """The place of a row in messages: with its line too, where earlier cells held line ends."""
    if number == line:
        return Message("{file}, row {row}", file=label(path), row=number)
    return Message("{file}, row {row} (line {line} of the file)", file=label(path), row=number, line=line)


def _even(rows: Iterator[Row], header: list[str], path: Path, numbers: list[int]) -> Iterator[list[str]]:
    """The cells of the rows that have as many as the header; their numbers are added to `numbers`."""
    names = ", ".join(shown(name, 20) for name in header[:6]) + (", …" if len(header) > 6 else "")
    for number, line, cells in rows:
        if len(cells) == len(header):
            numbers.append(number)
            yield cells
            continue
        problem = one_or_more(
            "found {n} cell, expected {expected} ({names}).", "found {n:,} cells, expected {expected} ({names}).",
            n=len(cells), expected=len(header), names=names,
        )  # fmt: skip
        row_mistakes.note(number, InputError(problem, in_row(number, line, path)))

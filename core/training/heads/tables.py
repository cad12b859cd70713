"""Labelled pairs from a table: a premise, a hypothesis and a label in each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.tables import read_table
from core.training.heads.pairs import LabelledPair

if TYPE_CHECKING:
    import pandas as pd

ROLES: Mapping[str, tuple[str, ...]] = {
    "premise": ("premise", "sentence1", "sentence_a"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_b"),
    "label": ("label", "gold_label", "entailment_judgment", "entailment_label"),
}
"""The names of columns, ignoring case."""
_FEWEST = 10
"""The fewest pairs that a training needs."""


@dataclass(frozen=True)
class Labelled:
    """Examples, their labels by index, and the number of rows left out for an empty cell."""

    examples: list[LabelledPair]
    labels: tuple[str, ...]
    left_out: int = 0


def read_labelled(paths: Sequence[Path], columns: Mapping[str, str], labels: Sequence[str] = ()) -> Labelled:
    """Pairs of tables whose labels are words; `columns` gives, by role, names that are not in `ROLES`.

    `labels` gives the order of the labels, which is alphabetical by default. Raises InputError for a missing column,
    a label that is not among those given, fewer than two labels, and fewer than ten pairs.
    """
    rows = [row for path in paths for row in _rows(path, columns)]
    complete = [row for row in rows if all(row)]
    found = tuple(labels) or tuple(sorted({label for *_, label in complete}))
    if unlisted := sorted({label for *_, label in complete} - set(found)):
        raise InputError(f"the label '{unlisted[0][:40]}' is not one of {', '.join(found)}.", paths[0].name)
    if len(complete) < _FEWEST:
        raise InputError(f"{len(complete)} pairs with a label are too few; {_FEWEST} are the least.", paths[0].name)
    if len(found) < 2:
        raise InputError(f"there is one label, '{found[0][:40]}': a classifier chooses between two or more.")
    if len(set(found)) < len(found):
        raise InputError(f"a label is named twice in {', '.join(found)}.")
    place = {label: number for number, label in enumerate(found)}
    return Labelled([LabelledPair(a, b, place[label]) for a, b, label in complete], found, len(rows) - len(complete))


def _rows(path: Path, columns: Mapping[str, str]) -> list[tuple[str, str, str]]:
    table = read_table(path, trusted=True)
    first, second, label = (_texts(table[_column(table, role, columns, path.name)]) for role in ROLES)
    return list(zip(first, second, label, strict=True))


def _column(table: pd.DataFrame, role: str, columns: Mapping[str, str], where: str) -> str:
    """The column for a role: the named one, else the first with a usual name."""
    known = {str(name).lower(): str(name) for name in table.columns}
    wanted = (columns[role].lower(),) if role in columns else ROLES[role]
    if found := next((known[name] for name in wanted if name in known), ""):
        return found
    raise InputError(
        f"no column with the {role} (as {', '.join(wanted)}). Found {', '.join(map(str, table.columns))}. "
        f"Say which column it is, with --{role}.",
        where,
    )


def _texts(column: pd.Series) -> list[str]:
    """Cells as texts; missing ones are empty, integers have no decimal point."""
    import pandas as pd

    if pd.api.types.is_float_dtype(column) and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    cells = column.astype("object")
    return [" ".join(str(cell).split()) for cell in cells.where(cells.notna(), "")]

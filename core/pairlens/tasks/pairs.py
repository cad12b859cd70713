"""Minimal pairs in any table: two columns of texts, or two rows for each pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.errors import InputError
from pairlens.files.row_mistakes import row
from pairlens.files.tables import Layout, files, read_as, read_laid_out
from pairlens.tasks._base import pair as minimal_pair
from pairlens.tasks._pair_columns import Found, Roles, completed, group_name, label_values, pairs_in, text_columns
from pairlens.types import Item, Task, Topic

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TASK", "Pairs", "Roles", "completed", "label_values", "pair", "text_columns", "with_columns"]

ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet", ".xlsx")


@dataclass(frozen=True, slots=True)
class Pairs(Task):
    """A table, or a folder of tables, with one pair in each row or in two; every other column is kept as a group.

    Columns are found by the names that BLiMP and its descendants in other languages give them, or as `roles` says;
    `layout` is that of the tables. `UID` is the paradigm, `pairs` if no column is one. A column whose name Pairlens'
    own tables use gets a `given_` before it: `given_item`.
    """

    name: str = "pairs"
    version: int = 2
    title: str = "Minimal pairs"
    about: str = "Does the model prefer the good text of each pair?"
    noun: str = "pair"
    topic: Topic = "Your file"
    rules: tuple[str, ...] = ("joint",)
    groups: tuple[str, ...] = ("UID",)
    averaged: tuple[str, ...] = ("UID",)
    metrics: tuple[str, ...] = ("accuracy",)
    any_table: bool = True
    guessed: bool = True
    roles: Roles = field(default_factory=Roles)
    layout: Layout = Layout()  # noqa: RUF009 (frozen)

    def read(self, path: Path) -> Iterator[Item]:
        rows = chain.from_iterable(self._pairs(file) for file in files(path, ENDINGS))
        for number, (place, good, bad, groups) in enumerate(rows):
            with row(place):
                yield pair(f"pair_{number}", good, bad, groups)

    def in_words(self, path: Path) -> str:
        table, roles = self._table(files(path, ENDINGS)[0])
        return f"{roles.in_words()} {read_as(table)}".strip()

    def _table(self, file: Path) -> tuple[pd.DataFrame, Roles]:
        table = read_laid_out(file, self.layout)
        roles = completed(table, self.roles, str(table.attrs.get("place", file.name)))
        if table.empty:
            raise InputError("no pair below the column names", file.name)
        return table, roles

    def _pairs(self, file: Path) -> Iterator[Found]:
        return pairs_in(*self._table(file), file.name)


def with_columns(task: Task, roles: Roles, layout: Layout = Layout()) -> Task:  # noqa: B008 (frozen)
    """The task `pairs`, reading its tables this way, with numbers by `roles.group`; InputError for another task."""
    if (roles, layout) == (Roles(), Layout()):
        return task
    if not isinstance(task, Pairs):
        raise InputError(f"{task.title} knows its columns: only for --task pairs can they be named.")
    groups = ("UID", *map(group_name, roles.group[1:]))
    return replace(task, roles=roles, layout=layout, groups=groups)


def pair(
    identifier: str,
    good: str,
    bad: str,
    groups: Mapping[str, str] | None = None,
    labels: tuple[str, str] = ("good", "bad"),
) -> Item:
    """An item of two texts, the first of which is the good one; without a `UID` its paradigm is `pairs`."""
    return minimal_pair(identifier, good, bad, {"UID": "pairs", **(groups or {})}, labels)


TASK = Pairs()

"""The successor's wide table: an example per row, its candidates in columns c1_..., c2_... and c3_....

Columns: id, target, bias_type, context, c1_sentence, c1_gold_label, c1_id, c1_labels, ...; intrasentence tables have
c1_word, c2_word and c3_word, translated ones target_original. One table may hold both tasks: then `task` says which.
The published intrasentence tables have two orders: in English and German words stand first, elsewhere last.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.stereoset.checking import Record, example_of, text
from core.files.stereoset.examples import BLANK, INTERSENTENCE, INTRASENTENCE, KINDS, Example, Examples
from core.files.tables import read_table

if TYPE_CHECKING:
    import pandas as pd


Row = Mapping[str, object]
TASK = "task"
_PLACES = (1, 2, 3)
_NEEDED = (
    "id", "target", "bias_type", "context",
    *(f"c{place}_{part}" for place in _PLACES for part in ("sentence", "gold_label", "id")),
)  # fmt: skip
_PARTS = ("id", "sentence", "word", "gold_label", "labels")
_ORDER = (("sentence", "gold_label"), ("id", "labels"))
_WORDS_FIRST = ("en", "de")
_INDEX = "column 1"
"""The name given to a nameless first column: pandas writes its row numbers there."""


def read_wide(path: Path, kind: str = "") -> Iterator[Record]:
    """The records of a table; `kind` is the task of rows that do not state theirs.

    If neither does, tables with words and contexts with BLANK are intrasentence. A table with a sentence per row
    (`core.files.stereoset.wide`) is read, too. Raises InputError for missing columns and for an unknown task.
    """
    table = read_table(path)
    if is_long(table):
        yield from long_records(table, path.name)
        return
    if missing := [name for name in _NEEDED if name not in table.columns]:
        found = ", ".join(map(str, [name for name in table.columns if name != _INDEX][:12]))
        raise InputError(f"no column {', '.join(missing)}. Found {found}.", path.name)
    names = list(table.columns)
    has_words = "c1_word" in names
    for number, cells in enumerate(zip(*(_cells(table[name]) for name in names), strict=True), start=1):
        row = dict(zip(names, cells, strict=True))
        where = f"{path.name}, row {number}"
        sentences = [{part: row.get(f"c{place}_{part}") for part in _PARTS} for place in _PLACES]
        yield Record(where, example_of(row, _kind_of(row, kind, has_words, where), sentences))


def wide_table(examples: Examples, kinds: Sequence[str] = KINDS, *, as_text: bool = True) -> pd.DataFrame:
    """The wide table of one task, with the successor's columns in its order; of both, with `task` as last column.

    The annotators' judgements are lists, `as_text` in JSON.
    """
    import pandas as pd

    present = [kind for kind in kinds if examples.by_kind[kind]]
    found = [example for kind in present for example in examples.by_kind[kind]]
    columns: dict[str, list[str]] = {
        name: [getattr(example, name) for example in found] for name in ("id", "target", "bias_type", "context")
    }
    for names in _order(examples.language) if INTRASENTENCE in present else _ORDER:
        for place in _PLACES:
            columns |= {f"c{place}_{name}": [_cell(example, place, name) for example in found] for name in names}
    if any(example.target_original for example in found):
        columns["target_original"] = [example.target_original for example in found]
    if len(present) > 1:
        columns[TASK] = [example.kind for example in found]
    table = pd.DataFrame(columns, dtype="str")
    if not as_text:
        table = table.assign(
            **{name: [*map(json.loads, table[name])] for name in map(str, table) if name.endswith("_labels")}
        )
    return table


def _order(language: str) -> Sequence[Sequence[str]]:
    """The parts of candidates that stand together in an intrasentence table, as published in this language."""
    if language in _WORDS_FIRST:
        return ("word", "gold_label"), ("sentence", "id", "labels")
    return *_ORDER, ("word",)


def _cell(example: Example, place: int, name: str) -> str:
    candidate = example.candidates[place - 1]
    if name == "labels":
        return json.dumps([{"label": label, "human_id": human} for human, label in candidate.labels])
    return str(getattr(candidate, name))


def _cells(column: pd.Series) -> list[object]:
    """The column's cells, missing ones as None."""
    return column.astype(object).where(column.notna(), None).tolist()


def _kind_of(row: Row, kind: str, has_words: bool, where: str) -> str:
    if stated := text(row.get(TASK)):
        if stated not in KINDS:
            raise InputError(f"column '{TASK}' must be {' or '.join(KINDS)}, found {stated[:40]!r}.", where)
        return stated
    return kind or (INTRASENTENCE if has_words or BLANK in text(row["context"]) else INTERSENTENCE)


_KIND = "dataset_type"
_COLUMNS = (
    _KIND, "cluster_id", "target", "bias_type", "context", "sentence_id", "sentence", "gold_label",
)  # fmt: skip


def is_long(table: pd.DataFrame) -> bool:
    """Whether a table has a sentence per row."""
    return set(_COLUMNS) <= set(table.columns)


def long_records(table: pd.DataFrame, file: str) -> Iterator[Record]:
    """The examples of such a table, in the order of their first rows; InputError for an unknown task."""
    rows: dict[tuple[str, str], list[tuple[int, list[str]]]] = {}
    cells = zip(*(table[name] for name in _COLUMNS), strict=True)
    for number, row in enumerate(cells, start=1):
        kind, identifier, *rest = map(text, row)
        rows.setdefault((kind, identifier), []).append((number, rest))
    for (kind, identifier), found in rows.items():
        number, (target, bias_type, context, *_) = found[0]
        where = f"{file}, row {number}"
        if kind not in KINDS:
            raise InputError(f"column '{_KIND}' must be {' or '.join(KINDS)}, found {kind[:40]!r}.", where)
        fields = {"id": identifier, "target": target, "bias_type": bias_type, "context": context}
        parts = ("id", "sentence", "gold_label")
        sentences = [dict(zip(parts, cells[-3:], strict=True)) for _, cells in found]
        yield Record(where, example_of(fields, kind, sentences))

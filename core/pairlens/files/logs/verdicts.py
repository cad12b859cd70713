"""Any table with a row per item that says whether the answer was right; SyntaxGym's results are such tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pairlens.errors import InputError, unknown
from pairlens.files.logs import Log, Question
from pairlens.files.tables import read_table, row_numbers

if TYPE_CHECKING:
    import pandas as pd

USUAL: Mapping[str, tuple[str, ...]] = {
    "correct": ("correct", "is_correct", "right", "acc", "result", "verdict"),
    "item": ("item", "item_number", "item_id", "id", "doc_id", "question_id", "pair_id", "pairid"),
    "group": ("uid", "suite", "task", "paradigm", "phenomenon", "category"),
    "model": ("model", "model_name"),
}
"""Common names for the column of each role, the most common first."""
_WORDS = {
    **dict.fromkeys(("true", "1", "1.0", "yes", "c", "correct"), 1.0),
    **dict.fromkeys(("false", "0", "0.0", "no", "i", "incorrect"), 0.0),
    **dict.fromkeys(("", "nan", "na", "none", "<na>"), math.nan),
}
_PREDICTIONS = ("prediction", "prediction_id")
"""Columns that tell the rows of an item apart: the predictions of a suite."""


def columns_of(present: Sequence[str], chosen: Mapping[str, str]) -> Mapping[str, str]:
    """The column of each role, as chosen or by its name; roles that no column has are missing."""
    if strange := [column for column in chosen.values() if column not in present]:
        raise InputError(unknown("column", strange[0], present))
    names = {name.casefold(): name for name in reversed(present)}
    columns = {role: next((names[name] for name in usual if name in names), "") for role, usual in USUAL.items()}
    return {role: column for role, column in {**columns, **chosen}.items() if column}


def read(file: Path, chosen: Mapping[str, str], model: str = "") -> Log:
    """The verdicts of a table on one model; InputError with the row for one that is none, or an item that is twice.

    The other columns are groups. The group, the item and the prediction together say which item it is.
    """
    table = read_table(file)
    columns = columns_of([*map(str, table.columns)], chosen)
    if missing := {"correct", "item"} - columns.keys():
        raise InputError(f"no column says {' and '.join(sorted(missing))}: name it.", file.name)
    if column := columns.get("model"):
        models = list(dict.fromkeys(table[column].astype("str")))
        if model not in models and len(models) > 1:
            shown = ", ".join(models[:8])
            raise InputError(f"holds verdicts on {len(models)} models, choose one (--model): {shown}", file.name)
        table = table[table[column].astype("str") == (model if model in models else models[0])]
        model = model or models[0]
    return Log("a table of verdicts", model, [*_questions(table, columns, file.name)])


def _questions(table: pd.DataFrame, columns: Mapping[str, str], where: str) -> Iterator[Question]:
    group = columns.get("group", "")
    others = [str(name) for name in table if name not in columns.values()]
    identifying = [group, columns["item"], *(name for name in others if name.casefold() in _PREDICTIONS)]
    first_rows = dict[str, int]()
    for number, row in zip(row_numbers(table), table.astype("str").to_dict("records"), strict=True):
        cells = {str(name): str(value).strip() for name, value in row.items()}
        id, verdict = "/".join(cells[name] for name in identifying if name), cells[columns["correct"]]
        if verdict.casefold() not in _WORDS:
            problem = f"column '{columns['correct']}': {verdict[:40]!r} is neither right nor wrong."
            raise InputError(problem, f"{where}, row {number}")
        if (first := first_rows.setdefault(id, number)) != number:
            problem = f"item '{id[:60]}' is in row {first} already: name what tells them apart."
            raise InputError(problem, f"{where}, row {number}")
        groups = {"UID": cells[group] if group else "items", **{name: cells[name] for name in others}}
        yield Question(id, (("", id),), None, (), _WORDS[verdict.casefold()], groups)

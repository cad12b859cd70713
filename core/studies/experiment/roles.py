"""A user's table with its columns in their roles: one row per sentence, every cell as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED, Columns
from core.errors import InputError, unknown
from core.studies.experiment.columns import cells

ROLES = ("sentid", "sentence", "pairid", "comparison", "item", "roi")
TAKEN = frozenset((
    "row", "said", "bars", *ROLES, "model", "tokenizer", "wordpos", "word", "start", "end", "bar", "n_tokens",
    "punctuation", "surp", "prob", "region", "n_words", "text", "perplexity", "excluded", "reason", "expected",
    "unexpected", "diff", "acc", "macrodiff", "tie", "ties", "undecided", "n", "n_items", "overall", "measure",
    "position", "label", "mean", "low", "high", "effect", "kind", "cell",
))  # fmt: skip
"""Columns of an experiment's own tables; a user's column with one of these names is prefixed with `given_`."""
_SHOWN = 8
"""The most values of a column in a message."""


def in_roles(table: pd.DataFrame, columns: Columns, source: str) -> tuple[pd.DataFrame, Columns]:
    """The rows of a table under the names of their roles, and the roles that are used.

    `row` (the table's index), `sentid` and `sentence`, then `pairid`, `comparison` (expected, unexpected or missing),
    `said` (the comparison as written), `item` and `roi` where columns have these roles, then all other columns. In a
    table with two columns of texts each row becomes two. Where sentences are compared and items are named, but no
    pairs, an item's sentences in the same conditions are a pair; where none is complete, the design leaves them
    unpaired. Raises InputError: see `core.studies.experiment.design`.
    """
    columns = _played(replace(columns, conditions=tuple(dict.fromkeys(columns.conditions))), table, source)
    if columns.comparison and columns.item and not columns.pairid:
        columns = replace(columns, pairid=columns.item)
    roles = {role: getattr(columns, role) for role in ROLES if getattr(columns, role)}
    sides = () if columns.sentence else (columns.expected, columns.unexpected)
    alone = [str(name) for name in table if name in columns.conditions or name not in {*roles.values(), *sides}]
    names = dict(zip(alone, _free(alone), strict=True))
    rows = pd.DataFrame(
        {"row": table.index}
        | {role: cells(table[name]).str.strip().array for role, name in roles.items() if role != "sentence"}
        | {new: _text_of(table[name], trimmed=name in columns.conditions).array for name, new in names.items()}
    )
    if sides:
        rows = _unfolded(rows, {side: cells(table[side]) for side in sides})
        columns = replace(columns, sentence="sentence", comparison="comparison", pairid=columns.pairid or "pairid")
    else:
        rows["sentence"] = cells(table[columns.sentence]).array
    if not columns.sentid:
        rows["sentid"] = [str(number) for number in range(1, len(rows) + 1)]
    if columns.comparison:
        rows["said"] = rows["comparison"]
        rows["comparison"] = _compared(rows["said"], columns, source)
    order = [name for name in ("row", *ROLES, "said") if name in rows]
    columns = replace(columns, conditions=tuple(names[name] for name in columns.conditions))
    return rows[[*order, *names.values()]], columns


def _played(columns: Columns, table: pd.DataFrame, source: str) -> Columns:
    """The roles that the table's columns play; columns with the usual names are optional."""
    usual = Columns()
    wide = columns.sentence in ("", usual.sentence) and columns.sentence not in table
    if wide and not {columns.expected, columns.unexpected} <= set(table):
        raise InputError(
            f"say which column holds the sentences, or which two. Found {', '.join(map(str, table))}.", source
        )
    if wide:
        columns = replace(columns, sentence="", sentid="", comparison="")
    absent = {role: name for role in ROLES if (name := getattr(columns, role)) and name not in table}
    wanted = [name for role, name in absent.items() if name != getattr(usual, role)]
    for name in (*wanted, *columns.conditions):
        if name not in table:
            raise InputError(unknown("column", name, map(str, table)), source)
    return replace(columns, **dict.fromkeys(absent, ""))  # type: ignore[arg-type]


def _text_of(column: pd.Series, *, trimmed: bool) -> pd.Series:
    """Cells as text; `trimmed` removes surrounding white space, which is invisible in the name of a condition."""
    return cells(column).str.strip() if trimmed else cells(column)


def _free(names: list[str]) -> list[str]:
    """Names for columns without a role: distinct, and none of them in TAKEN."""
    found: list[str] = []
    for name in names:
        while name in TAKEN or name in found:
            name = f"given_{name}"
        found.append(name)
    return found


def _unfolded(rows: pd.DataFrame, texts: Mapping[str, pd.Series]) -> pd.DataFrame:
    """Two rows for each, the expected one first; they are a pair unless a column has the pairs."""
    if "pairid" not in rows:
        rows = rows.assign(pairid=rows["row"].astype("str"))
    sides = [rows.assign(comparison=side, sentence=column.array) for side, column in texts.items()]
    return pd.concat(sides).sort_index(kind="stable").reset_index(drop=True)


def _compared(said: pd.Series, columns: Columns, source: str) -> pd.Series:
    """`expected` or `unexpected` for the file's values of these, missing for anything else."""
    if columns.expected.casefold() == columns.unexpected.casefold():
        raise InputError(f"expected and unexpected are both called '{columns.expected}': name two values.", source)
    sides = {columns.expected.casefold(): EXPECTED, columns.unexpected.casefold(): UNEXPECTED}
    compared = said.str.casefold().map(sides).astype("str")
    others = [value for value in said[compared.isna()].unique() if value]
    for side, name in ((EXPECTED, columns.expected), (UNEXPECTED, columns.unexpected)):
        if others and not (compared == side).any():
            found = unknown("comparison", name, said[said != ""].unique()[:_SHOWN])
            raise InputError(f"column '{columns.comparison}': {found} Say which value means {side}.", source)
    return compared

"""A user's table with its columns in their roles: one row per sentence, every cell as text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED, Columns
from core.errors import InputError, unknown
from core.studies.experiment.columns import cells, guess_columns

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
    sides = () if columns.sentence else columns.sides
    alone = [str(name) for name in table if name in columns.conditions or name not in {*roles.values(), *sides}]
    names = dict(zip(alone, _free(alone), strict=True))
    rows = pd.DataFrame(
        {"row": table.index}
        | {role: cells(table[name]).str.strip().array for role, name in roles.items() if role != "sentence"}
        | {new: cells(table[name]).array for name, new in names.items()}
    )
    for name in columns.conditions:  # white space around the name of a condition is invisible
        rows[names[name]] = rows[names[name]].str.strip()
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
    if wide and not {*columns.sides} <= set(table):
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


def _free(names: list[str]) -> list[str]:
    """Names for columns without a role: distinct, and none of them in TAKEN."""
    free: list[str] = []
    for name in names:
        while name in TAKEN or name in free:
            name = f"given_{name}"
        free.append(name)
    return free


def _unfolded(rows: pd.DataFrame, texts: Mapping[str, pd.Series]) -> pd.DataFrame:
    """Two rows for each, the expected one first; they are a pair unless a column has the pairs."""
    if "pairid" not in rows:
        rows = rows.assign(pairid=rows["row"].astype("str"))
    sides = [rows.assign(comparison=side, sentence=column.array) for side, column in texts.items()]
    return pd.concat(sides).sort_index(kind="stable", ignore_index=True)


def _compared(said: pd.Series, columns: Columns, source: str) -> pd.Series:
    """`expected` or `unexpected` for the file's values of these, missing for anything else."""
    named = dict(zip((EXPECTED, UNEXPECTED), columns.sides, strict=True))
    sides = {name.casefold(): side for side, name in named.items()}
    if len(sides) < 2:
        raise InputError(f"expected and unexpected are both called '{columns.expected}': name two values.", source)
    compared = said.str.casefold().map(sides).astype("str")
    if said[compared.isna()].any():
        for side, name in named.items():
            if not (compared == side).any():
                wrong = unknown("comparison", name, said[said != ""].unique()[:_SHOWN])
                raise InputError(f"column '{columns.comparison}': {wrong} Say which value means {side}.", source)
    return compared


HEADING = "#"


def table_of_lines(lines: Sequence[str]) -> tuple[pd.DataFrame, Columns]:
    """The table of the lines, one row per sentence or pair, with the line (from 1) as its index.

    - A table pasted from a spreadsheet: the first line has tabs and names a column of sentences, or two of texts
      (`core.studies.experiment.columns`).
    - Two sentences per line, with a tab between them: the expected one first.
    - One sentence per line, the expected one of a pair first. A blank line ends a pair. A line that begins with `#`
      names the condition of the pairs below it. Where all conditions have equally many pairs, the first pairs of each
      are one item, the second ones another, and so on.

    Raises InputError if all lines are blank, or if lines with tabs are neither of the first two.
    """
    full = {number: line.strip("\r\n") for number, line in enumerate(lines, start=1) if line.strip()}
    if not full:
        raise InputError("There is nothing to analyse yet: type one sentence per line, the expected one first.")
    if not any("\t" in line for line in full.values()):
        return _consecutive(lines)
    cells = {number: [cell.strip() for cell in line.split("\t")] for number, line in full.items()}
    header = next(iter(cells.values()))
    columns = guess_columns(pd.DataFrame(columns=list(dict.fromkeys(header)), dtype="str"))
    if columns.sentence or columns.expected in header:
        table = _pasted(cells)
        return table, guess_columns(table)
    if all(len(row) == 2 for row in cells.values()):
        table = pd.DataFrame(list(cells.values()), columns=[EXPECTED, UNEXPECTED], index=list(cells), dtype="str")
        return table, guess_columns(table)
    raise InputError(
        "These lines have tabs, but the first does not name a column of sentences. Paste the column names too "
        "(sentence, pairid, comparison, ...), or two sentences per line."
    )


def _pasted(cells: dict[int, list[str]]) -> pd.DataFrame:
    """A spreadsheet omits empty cells at the end of a row; they are filled in."""
    (first, header), *rows = cells.items()
    if len(set(header)) < len(header):
        raise InputError(f"two columns have the same name ({', '.join(header)}).", f"Line {first}")
    for number, row in rows:
        if len(row) > len(header):
            message = f"found {len(row)} cells, expected {len(header)} ({', '.join(header)})."
            raise InputError(message, f"Line {number}")
    filled = {number: row + [""] * (len(header) - len(row)) for number, row in rows}
    return pd.DataFrame.from_dict(filled, "index", dtype="str", columns=header)


def _consecutive(lines: Sequence[str]) -> tuple[pd.DataFrame, Columns]:
    """Expected and unexpected sentences in turn; a blank line or a heading begins a new pair."""
    rows: dict[int, tuple[str, str, str, str]] = {}
    pair, turn, condition = 0, 0, ""
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if not text or text.startswith(HEADING):
            turn = 0
            condition = text.lstrip(HEADING).strip() if text else condition
            continue
        pair += turn == 0
        rows[number] = (text, str(pair), (EXPECTED, UNEXPECTED)[turn], condition)
        turn = 1 - turn
    if not rows:
        raise InputError("There are headings, but no sentences below them.")
    names = ["sentence", "pairid", "comparison", "condition"]
    table = pd.DataFrame(list(rows.values()), columns=names, index=list(rows), dtype="str")
    if not table["condition"].any():
        return table[names[:-1]], Columns(sentid="", roi="")
    columns = Columns(sentid="", roi="", conditions=("condition",))
    pairs = table.drop_duplicates("pairid")
    if pairs["condition"].nunique() < 2 or pairs["condition"].value_counts().nunique() > 1:
        return table, columns
    places = pairs.groupby("condition").cumcount().add(1).astype("str").set_axis(pairs["pairid"])
    return table.assign(item=table["pairid"].map(places)), replace(columns, item="item")

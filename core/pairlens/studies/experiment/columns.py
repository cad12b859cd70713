"""Which column of a table plays which role, guessed from the usual names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pandas as pd

from pairlens.analysis.experiment import EXPECTED, UNEXPECTED, Columns
from pairlens.errors import InputError, unknown
from pairlens.tasks._pair_columns import ITEM, LABEL, PAIR, SENTENCE, named, sides, text_columns, two_texts

_NAMED = "condition|condição|condicao|condición|bedingung|factor|fator|facteur|faktor"
_CONDITION = re.compile(rf"(cond|{_NAMED})s?([ _.]?\w)?|({_NAMED})[ _.].+|condições|condiciones", re.IGNORECASE)
_LIST = re.compile(
    r"(list|lista|liste|group|grupo|groupe|gruppe|participante?|subject|sujet|sujeito|proband)(s|en)?"
    r"([ _.-]?(id|nr|no|number|\w))?",
    re.IGNORECASE,
)
"""A counterbalanced list, or who was asked: both cross with items as conditions do, so that only names tell."""
_IDENTIFIER = re.compile(r".*(id|nr|index)", re.IGNORECASE)
_NUMBER = re.compile(r".*number", re.IGNORECASE)
_CODE = r"\d*|\w"
"""A cell of numerals or of one letter."""
_MOST_VALUES = 12
HEADING = "#"


def guess_item(cells: pd.DataFrame, free: Sequence[str], columns: Columns) -> str:
    """The column whose values cross with the others; of several the one with the most and then the shortest values.

    Each value is in equally many rows, two or more but fewer than there are values, no two of which are alike in the
    columns of few values; with a comparison as many are on either side, with pairs each value has several of them.
    """
    few = [name for name in free if cells[name].nunique() <= _MOST_VALUES]
    n_pairs = cells[columns.pairid].nunique() if columns.pairid else len(cells)
    sizes: dict[str, int] = {}
    for name in free:
        n_rows = cells[name].value_counts()
        if _LIST.fullmatch(name) or "" in n_rows or not 2 <= n_rows.max() == n_rows.min() < len(n_rows) < n_pairs:
            continue
        if columns.pairid and not _is_within(cells, columns.pairid, name):
            continue
        inner = {name, *few, columns.comparison} - {""}
        if not cells.duplicated(list(inner)).any() and _is_balanced(cells, [name], columns):
            sizes[name] = len(n_rows)
    return max(sizes, key=lambda name: (sizes[name], -cells[name].str.len().mean()), default="")


def guess_conditions(cells: pd.DataFrame, free: Sequence[str], columns: Columns) -> tuple[str, ...]:
    """The columns named so (`condition`, `cond1`, `factor_a`); without any, those that cross with the items.

    They have 2 to 12 values, each in at least two items (of the only item: rows), vary within most items, and tell
    an item's sentences (or pairs) apart that no earlier condition does; words precede codes, which may be those of
    lists. Where items do not repeat, they are the columns with values that repeat over the pairs, or rows, and are
    the same within a pair.
    """
    if named := [name for name in free if _CONDITION.fullmatch(name)]:
        return tuple(named)
    unit = unit_of(cells, columns)
    units = cells[unit] if unit else pd.Series(range(len(cells)), cells.index)
    numerals = {name for name in free if _NUMBER.fullmatch(name) and cells[name].str.fullmatch(r"\d*").all()}
    labels = {name for name in free if _IDENTIFIER.fullmatch(name) or _LIST.fullmatch(name)} | numerals
    usable = [name for name in free if name not in labels and _repeats(cells[name], units)]
    if unit != columns.item or not unit:
        return tuple(name for name in usable if not unit or _is_within(cells, unit, name))
    chosen: list[str] = []
    size = 2 if columns.comparison and columns.sentence else 1
    for name in sorted(usable, key=lambda name: bool(cells[name].str.fullmatch(_CODE).all())):
        varies = cells[name].groupby(units).nunique().gt(1).mean() > 0.5
        apart = cells.groupby([unit, *chosen]).size().median() > size
        if varies and apart and _is_balanced(cells, [unit, *chosen, name], columns):
            chosen.append(name)
    return tuple(name for name in free if name in chosen)


def unit_of(cells: pd.DataFrame, columns: Columns) -> str:
    """The column of items where these repeat, else that of pairs; empty if there is neither."""
    repeated = columns.item and cells[columns.item].duplicated().any()
    return columns.item if repeated else columns.pairid


def others(cells: pd.DataFrame, columns: Columns) -> Iterator[tuple[str, str]]:
    """Each column without a role, and why it is no condition."""
    unit = unit_of(cells, columns)
    for name in cells.columns.difference([*asdict(columns).values(), *columns.conditions], sort=False):
        n = cells[name].nunique()
        if _LIST.fullmatch(name):
            yield name, "a list"
        elif n < 2:
            yield name, "the same everywhere"
        elif unit and _is_within(cells, unit, name):
            yield name, "the same within an item" if unit == columns.item else "the same within a pair"
        else:
            yield name, "a value per row" if n == len(cells) else "not crossed with the items"


def _repeats(column: pd.Series, units: pd.Series) -> bool:
    """Whether a column has few values, each in several units; of a single unit in several rows."""
    if not 2 <= column.nunique() <= _MOST_VALUES:
        return False
    values = units.groupby(column)
    return bool((values.nunique() if units.nunique() > 1 else values.size()).min() > 1)


def _is_within(cells: pd.DataFrame, unit: str, name: str) -> bool:
    return bool(cells.groupby(unit)[name].nunique().max() == 1)


def _is_balanced(cells: pd.DataFrame, names: Sequence[str], columns: Columns) -> bool:
    """Whether most cells have as many expected as unexpected sentences; True where nothing is compared."""
    if not columns.sentence or not columns.comparison:
        return True
    values = cells[columns.comparison].str.casefold()
    sides = [values == side.casefold() for side in (columns.expected, columns.unexpected)]
    keys = [cells[name] for name in names]
    expected, unexpected = (side.groupby(keys).sum() for side in sides)
    return bool(((expected == unexpected) | (expected + unexpected == 0)).mean() > 0.5)


USUAL = {
    "sentence": SENTENCE,
    "sentid": ("sentid", "sent_id", "sentence_id"),
    "pairid": PAIR,
    "comparison": LABEL,
    "item": ITEM,
    "roi": ("roi", "region_of_interest", "critical_region"),
}
"""The usual names of the column of each role, the commonest first; case does not matter."""


def guess_columns(table: pd.DataFrame, known: Mapping[str, Any] | None = None) -> Columns:
    """The roles of a table's columns; a role that no column has is empty. `known` are roles that need no guess.

    Names decide first (USUAL). A table with two columns of texts (`good` and `bad`:
    `pairlens.tasks._pair_columns.TEXTS`) and no `sentence` has one pair per row: then `sentence` and `comparison` are
    empty and `expected` and `unexpected` name the two columns. Of other names the comparison is the column that says
    as often `good` as `bad` (or another of the usual pairs), and the sentences are the one of several words with the
    most different cells. Items and conditions follow from what crosses: see `pairlens.studies.experiment.columns`.
    """
    written = as_text(table)
    names, roles_known = [str(name) for name in written], known or {}
    known = {role: name for role, name in roles_known.items() if role not in USUAL or name in ("", *names)}
    texts = two_texts(names)
    roles = {role: named(names, usual) for role, usual in USUAL.items()}
    if texts and not named(names, ["sentence"]):
        roles |= {"sentence": "", "sentid": "", "comparison": "", "expected": texts[0], "unexpected": texts[1]}
    else:
        roles["comparison"] = known.get("comparison", roles["comparison"] or _judging(written))
        roles["sentence"] = roles["sentence"] or (_sentences(written) if roles["comparison"] else "")
        known_sides = sides(written[comparison].unique()) if (comparison := roles["comparison"]) in written else None
        roles |= dict(zip(("expected", "unexpected"), known_sides or (), strict=False))
    columns = Columns(**{**roles, **known, "conditions": ()})
    free = [name for name in names if name not in asdict(columns).values()]
    if not columns.item:
        columns = replace(columns, item=guess_item(written, free, columns))
    free = [name for name in free if name != columns.item]
    conditions = known["conditions"] if "conditions" in known else guess_conditions(written, free, columns)
    return replace(columns, **{**roles_known, "conditions": conditions})


def _judging(written: pd.DataFrame) -> str:
    """The column that says as often the one as the other of a usual pair of sides; empty if there is none."""
    counts = {str(name): written[name].value_counts() for name in written if written[name].nunique() == 2}
    return next((name for name, n in counts.items() if sides(map(str, n.index)) and n.nunique() == 1), "")


def _sentences(written: pd.DataFrame) -> str:
    """The column of texts with the most different ones; empty if several have."""
    n_distinct = {name: written[name].nunique() for name in text_columns(written)}
    most = [name for name, n in n_distinct.items() if n == max(n_distinct.values())]
    return most[0] if len(most) == 1 else ""


def as_text(table: pd.DataFrame) -> pd.DataFrame:
    named_so = table.rename(columns=str)
    return pd.DataFrame({name: cells(named_so[name]).str.strip() for name in named_so})


def cells(column: pd.Series) -> pd.Series:
    """Cells as text: a missing one is empty, a whole number has no decimal point, lists are joined by commas."""
    if isinstance(column.dtype, pd.StringDtype):
        return column.fillna("").astype("str")
    return column.map(_cell).astype("str")


def _cell(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(map(_cell, value))
    if value is None or value is pd.NA or value != value:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


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
    unpaired. Raises InputError: see `pairlens.studies.experiment.design`.
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
    if sides:  # two rows for each, the expected one first; they are a pair unless a column has the pairs
        rows = rows if "pairid" in rows else rows.assign(pairid=rows["row"].astype("str"))
        both = [rows.assign(comparison=side, sentence=cells(table[side]).array) for side in sides]
        rows = pd.concat(both).sort_index(kind="stable", ignore_index=True)
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
        names = ", ".join(map(str, table))
        raise InputError(f"say which column holds the sentences, or which two. Found {names}.", source)
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


def _compared(values: pd.Series, columns: Columns, source: str) -> pd.Series:
    """`expected` or `unexpected` for the file's values of these, missing for anything else."""
    named = dict(zip((EXPECTED, UNEXPECTED), columns.sides, strict=True))
    sides = {name.casefold(): side for side, name in named.items()}
    if len(sides) < 2:
        raise InputError(f"expected and unexpected are both called '{columns.expected}': name two values.", source)
    compared = values.str.casefold().map(sides).astype("str")
    if values[compared.isna()].any():
        for side, name in named.items():
            if not (compared == side).any():
                wrong = unknown("comparison", name, values[values != ""].unique()[:_SHOWN])
                raise InputError(f"column '{columns.comparison}': {wrong} Say which value means {side}.", source)
    return compared


def table_of_lines(lines: Sequence[str]) -> tuple[pd.DataFrame, Columns]:
    """The table of the lines, one row per sentence or pair, with the line (from 1) as its index.

    - A table pasted from a spreadsheet: the first line has tabs and names a column of sentences, or two of texts
      (`pairlens.studies.experiment.columns`).
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

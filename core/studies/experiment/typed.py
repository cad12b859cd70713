"""Typed or pasted lines as the table of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from core.analysis.experiment import EXPECTED, UNEXPECTED, Columns
from core.errors import InputError
from core.studies.experiment.columns import guess_columns

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
            raise InputError(
                f"found {len(row)} cells, expected {len(header)} ({', '.join(header)}).", f"Line {number}"
            )
    filled = [row + [""] * (len(header) - len(row)) for _, row in rows]
    return pd.DataFrame(filled, columns=header, index=[number for number, _ in rows], dtype="str")


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

"""A result for a terminal: what was found, what to keep in mind, what charts show, one table, the signature."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pairlens.text.languages import Language

if TYPE_CHECKING:
    import pandas as pd

    from pairlens.results.result import Column, Result, Table

NONE = "–"
"""In the place of a value that is not there."""
_FORM = ".3f"
"""Of numbers whose column states no format."""
_BETWEEN = "  "
_SENTENCE_ENDS = re.compile(r"(?<=[.!?]) (?=[A-Z0-9])")


def text(result: Result, table: str = "") -> str:
    """A result in words, with the table of this name, by default its first; InputError for an unknown one."""
    lines = repr(result).splitlines() if len(result.models) > 1 else [*result.sentences[result.models[0]]]
    lines += result.cautions
    for figure in result.figures:
        lines += filter(None, [" ".join(unsaid(figure.finding, lines))])
    shown = result.table(table)
    return "\n".join(
        [*lines, "", *filter(None, [shown.lead()]), *rows(shown), "", result.provenance.signature]
    ).rstrip()


def unsaid(finding: str, lines: Sequence[str]) -> list[str]:
    """The sentences of a finding that are not in any of these lines."""
    return [sentence for sentence in _SENTENCE_ENDS.split(finding) if not any(sentence in line for line in lines)]


def rows(table: Table) -> list[str]:
    """A table in lines, its columns under each other, numbers flush right."""
    frame, drawn = table.frame.head(table.most), table.drawn
    columns = [[column.heading, *written(frame[column.name], column)] for column in drawn]
    widths = [max(map(len, cells)) for cells in columns]
    right = [frame[column.name].dtype.kind in "fiu" for column in drawn]
    return [
        _BETWEEN.join(
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in zip(*columns, strict=True)
    ]


def written(values: pd.Series, column: Column, numerals: Language | None = None) -> list[str]:
    """The cells of a column as people read them; a dash where there is none."""
    form = column.form or (_FORM if values.dtype.kind == "f" else "")
    write = numerals.number if numerals and form else format
    return [NONE if missing else write(value, form) for value, missing in zip(values, values.isna(), strict=True)]

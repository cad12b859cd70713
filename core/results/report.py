"""A result as one HTML file that needs nothing else: to print, to hand in, to send."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from core import __version__
from core.results import printed
from core.results.printed import Numerals
from core.results.result import NONE, Result, Table
from core.results.text import written

_NUMERALS = Numerals()


def report(result: Result) -> str:
    """Findings, notices, charts, tables with what their columns are, and how all of it was made."""
    return (
        printed.environment()
        .get_template("result.html")
        .render(
            title=result.title,
            question=result.question,
            made=f"Pairlens {__version__}, {datetime.now(UTC).date()}",
            style=printed.style(),
            findings=result.sentences.items(),
            headlines=_headlines(result),
            notices=result.cautions,
            figures=[
                printed.figure(one.draw(result.table(one.table).frame), one.finding, _NUMERALS)
                for one in result.figures
            ],
            tables=[_table(table) for table in result.tables],
            provenance=result.provenance,
            receipt=json.dumps(result.provenance.receipt, indent=2, ensure_ascii=False),
        )
    )


def _headlines(result: Result) -> printed.Table:
    """One row per headline, the models under each other."""
    names = [headline.name for headline in result.headlines]
    rows = [
        (
            headline.model,
            headline.name.replace("_", " "),
            NONE if headline.value != headline.value else f"{headline.value:.4g}",
            headline.unit,
            f"{headline.interval[0]:.4g} to {headline.interval[1]:.4g}" if headline.interval else NONE,
            f"{headline.n:,} {headline.items}",
        )
        for headline in sorted(result.headlines, key=lambda one: names.index(one.name))
    ]
    heads = ("Model", "Number", "Value", "Unit", "95 % interval", "Of")
    return printed.table("All numbers.", heads, rows, len(rows), _NUMERALS, {2, 4})


def _table(table: Table) -> dict[str, Any]:
    frame, drawn = table.frame, table.drawn
    cells = [written(frame[column.name], column) for column in drawn]
    numbers = {place for place, column in enumerate(drawn) if frame[column.name].dtype.kind in "fiu"}
    heads = [column.heading for column in drawn]
    return {
        "title": table.title,
        "printed": printed.table("", heads, zip(*cells, strict=True), len(frame), _NUMERALS, numbers),
        "columns": [(column.heading, column.about) for column in drawn],
    }

"""A result as one HTML file that needs nothing else: to print, to hand in, to send."""

import json
from datetime import UTC, datetime
from typing import Any

from pairlens import __version__
from pairlens.results import printed
from pairlens.results.printed import Numerals
from pairlens.results.result import Result, Table
from pairlens.results.text import NONE, written


def report(*results: Result, title: str = "", decimal_comma: bool = False) -> str:
    """Results one after another: findings, notices, charts, tables and their columns, how all of it was made."""
    numerals = Numerals(decimal_comma=decimal_comma)
    return (
        printed.environment()
        .get_template("result.html")
        .render(
            title=title or results[0].title,
            made=f"Pairlens {__version__}, {datetime.now(UTC).date()}",
            style=printed.style(),
            results=[_result(result, numerals) for result in results],
        )
    )


def _result(result: Result, numerals: Numerals) -> dict[str, Any]:
    spoken = {model: [numerals(sentence) for sentence in sentences] for model, sentences in result.sentences.items()}
    return {
        "title": result.title,
        "question": result.question,
        "findings": spoken.items(),
        "headlines": _headlines(result, numerals),
        "notices": [numerals(caution) for caution in result.cautions],
        "figures": [
            printed.figure(figure.draw(result.table(figure.table).frame), numerals(figure.finding), numerals)
            for figure in result.figures
        ],
        "tables": [_table(table, numerals) for table in result.tables if table.drawn],
        "provenance": result.provenance,
        "receipt": json.dumps(result.provenance.receipt, indent=2, ensure_ascii=False),
    }


def _headlines(result: Result, numerals: Numerals) -> printed.Table:
    names = [headline.name for headline in result.headlines]
    rows = [
        (
            headline.model,
            headline.name.replace("_", " "),
            numerals.real(headline.value, ".4g"),
            headline.unit,
            " to ".join(numerals.real(bound, ".4g") for bound in headline.interval or ()) or NONE,
            f"{headline.n:,} {headline.items}",
        )
        for headline in sorted(result.headlines, key=lambda one: names.index(one.name))
    ]
    heads = ("Model", "Number", "Value", "Unit", "95 % interval", "Of")
    return printed.table("All numbers.", heads, rows, len(rows), numerals, {2, 4})


def _table(table: Table, numerals: Numerals) -> dict[str, Any]:
    return {
        "title": table.title,
        "lead": numerals(table.lead()),
        "printed": rows(table, numerals),
        "columns": [(column.heading, column.about) for column in table.drawn],
    }


def rows(table: Table, numerals: Numerals, caption: str = "", most: int = 0) -> printed.Table:
    """The columns of a table that people are shown, its first rows as they read them."""
    frame, drawn = table.frame, table.drawn
    cells = [written(frame[column.name].head(most or printed.MOST_ROWS), column, numerals) for column in drawn]
    numbers = {place for place, column in enumerate(drawn) if frame[column.name].dtype.kind in "fiu"}
    heads = [column.heading for column in drawn]
    return printed.table(caption, heads, zip(*cells, strict=True), len(frame), numerals, numbers, most)

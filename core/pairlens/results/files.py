"""A result as files: its tables as all tables are written, everything in it as JSON, and the report."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pairlens.files.exports import written
from pairlens.files.tables import check_writable, write_files, write_table
from pairlens.results.result import Headline, Result
from pairlens.results.text import text

REPORT = (".html", ".htm")
FORMATS = ("text", "json", "csv", "tsv", "html")
"""What a result can be printed as."""


def check(path: Path, *also: str) -> None:
    """InputError for a table that could not be written there; `also` are the endings of the result's exports."""
    if path.suffix.lower() not in REPORT:
        check_writable(path, also=(REPORT[0], *also))


def write(result: Result, path: Path, table: str = "") -> None:
    """The report under an ending of HTML, an export under its own, else the table of this name; errors as `check`."""
    if export := next((export for export in result.exports if path.name.endswith(export.ending)), None):
        write_files({path: export.make()})
        return
    if path.suffix.lower() not in REPORT:
        write_table(result.table(table).frame, path)
        return
    from pairlens.results.report import report

    write_files({path: report(result)})


def printed(result: Result, form: str, table: str = "") -> str:
    """A result in one of `FORMATS`, as it is printed; `table` is the one in text, CSV and TSV."""
    if form == "text":
        return text(result, table)
    if form == "json":
        return json.dumps(plain(result), indent=1, ensure_ascii=False, allow_nan=False)
    if form == "html":
        from pairlens.results.report import report

        return report(result)
    return written(result.table(table).frame, f".{form}").decode().rstrip("\r\n")


def plain(result: Result) -> dict[str, Any]:
    """Everything in a result as plain JSON values; a number that is not there is None."""
    return {
        "study": result.study,
        "question": result.question,
        "title": result.title,
        "headlines": [_headline(headline) for headline in result.headlines],
        "notices": [asdict(notice) for notice in result.notices],
        "tables": {
            table.name: {
                "title": table.title,
                "lead": table.lead(),
                "columns": {column.name: {"about": column.about, "unit": column.unit} for column in table.columns},
                "rows": json.loads(written(table.frame, ".json")),
            }
            for table in result.tables
        },
        "provenance": asdict(result.provenance),
    }


def _headline(headline: Headline) -> dict[str, Any]:
    more = {name: None if value != value else value for name, value in headline.more.items()}
    value = None if math.isnan(headline.value) else headline.value
    return {**asdict(headline), "value": value, "more": more}

"""`report`: stored runs as one self-contained HTML file, or as a LaTeX table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError, PolicyError
from core.files.tables import write_files

_ENDINGS = (".html", ".htm", ".tex")


def report(
    runs: Annotated[list[str], typer.Argument(metavar="RUN [RUN ...]", help="Ids of runs.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.html, or FILE.tex for a table.")],
    metric: Annotated[str, typer.Option("--metric", help="Metric of the LaTeX table (default: the headline).")] = "",
    decimal_comma: Annotated[bool, typer.Option("--decimal-comma", help="Numbers as 63,4.")] = False,
) -> None:
    """Write a report of runs: charts, tables, ties, exclusions, methods; or their numbers for a paper."""
    from core.reports.run_report import html_report, latex_table
    from core.runs.result import read
    from core.store import Store

    ending = output.suffix.lower()
    if ending not in _ENDINGS:
        raise InputError(f"a report is a file with one of these endings: {', '.join(_ENDINGS)}", str(output))
    if metric and ending != ".tex":
        raise PolicyError("--metric is for the LaTeX table; the HTML report holds all numbers.")
    if len(set(runs)) < len(runs):
        raise InputError("the same run is named twice: name each once.")
    store = Store()
    results = [read(store, run_id) for run_id in runs]
    if ending == ".tex":
        text = latex_table(results, metric, decimal="," if decimal_comma else ".")
    else:
        text = html_report(results, store, decimal_comma=decimal_comma)
    write_files({output: text})
    typer.echo(f"written: {output} ({len(text.encode()) / 1e3:,.0f} kB)")

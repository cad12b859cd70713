"""`compare-runs`: two or more stored runs beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli.console import check_outputs
from core.errors import PolicyError
from core.files.tables import write_table
from core.metrics import METRICS
from core.results import files, text

_Runs = Annotated[list[str], typer.Argument(metavar="RUN RUN ...", help="Ids of runs, as `zero-shot` prints them.")]


def compare_runs(
    runs: _Runs,
    reference: Annotated[
        str, typer.Option("--reference", metavar="RUN", help="Reference run that is subtracted (default: the first).")
    ] = "",
    metric: Annotated[str, typer.Option("--metric", help="By default the first run's headline.")] = "",
    group_by: Annotated[str, typer.Option("--by", metavar="GROUP", help="By default the paradigms.")] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the differences; the ending sets the format. .xlsx holds all tables, .html a report.",
        ),
    ] = None,
    flipped: Annotated[
        Path | None, typer.Option("--flipped", metavar="FILE", help="Also the items that changed sides.")
    ] = None,
) -> None:
    """What differs between stored runs: how they were made, their numbers, the items that changed sides.

    Differences come with intervals, exact tests and Holm's correction; where runs share only some items, these are
    compared, and a notice is printed where they share none.
    """
    from core.reports.run_comparison.comparison import compare_runs as compare
    from core.reports.run_comparison.result import result
    from core.store import Store

    check_outputs([output], flipped)
    if output:
        files.check(output)
    comparison = compare(Store(), runs, reference, metric, group_by)
    if flipped and not METRICS[comparison.metric].averages:
        raise PolicyError(f"{METRICS[comparison.metric].title} decides nothing item by item: leave --flipped out.")
    outcome = result(comparison)
    if output:
        files.write(outcome, output)
    if flipped:
        write_table(comparison.flipped(), flipped)
    recipe = outcome.table("recipe")
    typer.echo(files.printed(outcome, "text"))
    typer.echo("\n".join(["", f"{recipe.title}:", *text.rows(recipe)]))

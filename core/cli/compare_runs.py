"""`compare-runs`: two or more stored runs beside each other."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.console import check_outputs
from core.errors import PolicyError
from core.files.tables import write_table, write_workbook
from core.metrics import METRICS

if TYPE_CHECKING:
    import pandas as pd

    from core.reports.run_comparison.report import RunComparison

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
            help="Write the differences; the ending sets the format. .xlsx holds all tables, one per sheet.",
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
    from core.reports.run_comparison.report import compare_runs as compare
    from core.store import Store

    check_outputs([], output, flipped)
    found = compare(Store(), runs, reference, metric, group_by)
    if flipped and not METRICS[found.metric].averages:
        raise PolicyError(f"{METRICS[found.metric].title} decides nothing item by item: leave --flipped out.")
    if output:
        _write(found, output)
    if flipped:
        write_table(found.flipped(), flipped)
    _print(found)


def _write(found: RunComparison, output: Path) -> None:
    if output.suffix.lower() == ".xlsx":
        write_workbook(found.sheets(), output)
    else:
        write_table(found.differences, output)


def _print(found: RunComparison) -> None:
    from core.reports.run_comparison import wording

    elsewhere = wording.elsewhere(found.reference.task)
    grounds = wording.grounds(found.differences, found.metric, found.reference.task)
    for sentence in filter(None, (*found.findings, *found.cautions, grounds, elsewhere)):
        typer.echo(sentence)
    typer.echo()
    for _, row in found.differences.iterrows():
        typer.echo(_line(row))
    typer.echo()
    typer.echo("What differs in the recipe:")
    for _, row in found.recipe[found.recipe["differs"] & (found.recipe["section"] != "Run")].iterrows():
        said = "\t".join(str(row[run.name]) or "-" for run in found.runs)
        typer.echo(f"{row['field']}\t{said}")


def _line(row: pd.Series) -> str:
    columns = ("value", "value_reference", "difference", "low", "high")
    numbers = "\t".join(_written(row[column]) for column in columns)
    return f"{row['run']}\t{row['group']}\t{numbers}\t{_tested(row) if row['n'] >= 0 else 'other items'}"


def _written(number: float) -> str:
    return "-" if math.isnan(number) else f"{number:.4f}"


def _tested(row: pd.Series) -> str:
    """Items, independent ones among them, and p-values where there is a test."""
    p_values = "" if math.isnan(row["p"]) else f"\tp {row['p']:.3g}\tHolm {row['p_holm']:.3g}"
    return f"n {row['n']:,.0f} ({row['n_clusters']:,.0f} independent){p_values}"

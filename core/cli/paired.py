"""`paired`: two runs on the same items, compared item by item."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.console import check_kept
from core.files.tables import check_writable, write_table
from core.metrics import METRICS

if TYPE_CHECKING:
    import pandas as pd

_Run = Annotated[str, typer.Argument(help="A run's id, as `zero-shot` prints it.")]


def paired(
    first: _Run,
    second: _Run,
    metric: Annotated[str, typer.Option("--metric", help="By default the headline's.")] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The table, by its ending: .csv, .tsv, .xlsx, .parquet, ...")
    ] = None,
    flipped: Annotated[
        Path | None, typer.Option("--flipped", metavar="FILE", help="Also the items that only one run has right.")
    ] = None,
) -> None:
    """Differences (first minus second) with intervals, exact tests and Holm's correction over paradigms."""
    from core.reports.run_comparison.item_by_item import paired_runs
    from core.store import Store

    outputs = [path for path in (output, flipped) if path]
    check_kept([], outputs)
    for path in outputs:
        check_writable(path)
    found = paired_runs(Store(), first, second, metric)
    changed = found.flipped() if flipped else None
    if output:
        write_table(found.table, output)
    if flipped and changed is not None:
        write_table(changed, flipped)
    one, other = found.runs
    typer.echo(f"{METRICS[found.metric].title}: {one.manifest['model']} minus {other.manifest['model']}")
    for _, row in found.table.iterrows():
        typer.echo(_line(row))


def _line(row: pd.Series) -> str:
    if not row["n"]:
        return f"{row['group']}\tno item counts in both runs"
    numbers = "\t".join(f"{row[column]:.4f}" for column in ("value_a", "value_b", "difference", "low", "high"))
    return f"{row['group']}\t{numbers}\tn {row['n']:,}\tp {row['p']:.3g}\tHolm {row['p_holm']:.3g}"

"""`paired`: two runs on the same items, compared item by item."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    from core.analysis import paired as analysis
    from core.analysis.items import deciding_metric
    from core.errors import PolicyError, unknown
    from core.metrics import METRICS
    from core.result import read
    from core.store import Store
    from core.tables import check_writable, write_table

    for path in filter(None, (output, flipped)):
        check_writable(path)
    store = Store()
    one, other = read(store, first), read(store, second)
    analysis.refuse_unlike(one.manifest, other.manifest)
    names = one.metrics["name"].unique().tolist()
    name = metric or names[0]
    if name not in names:
        raise PolicyError(unknown("metric of these runs", name, names))
    policies = one.policy, other.policy
    deciding = deciding_metric(one.task, one.rule)
    if flipped and (deciding is None or deciding.name != name):
        by = f"only by '{deciding.name}'" if deciding else "by none of its metrics"
        raise PolicyError(f"{one.task.title} is decided item by item {by}: leave --flipped out, or --metric.")
    table = analysis.paired(one.candidates, other.candidates, one.task, policies, name)
    if output:
        write_table(table, output)
    if flipped:
        write_table(analysis.flipped(one.candidates, other.candidates, one.task, policies, one.rule), flipped)
    typer.echo(f"{METRICS[name].title}: {one.manifest['model']} minus {other.manifest['model']}")
    for _, row in table.iterrows():
        typer.echo(_line(row))


def _line(row: pd.Series) -> str:
    if not row["n"]:
        return f"{row['group']}\tno item counts in both runs"
    numbers = "\t".join(f"{row[column]:.4f}" for column in ("value_a", "value_b", "difference", "low", "high"))
    return f"{row['group']}\t{numbers}\tn {row['n']:,}\tp {row['p']:.3g}\tHolm {row['p_holm']:.3g}"

"""`store`: check, clean and export what has been scored."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError

app = typer.Typer(help="Check, clean and export what has been scored.", no_args_is_help=True)


@app.command()
def verify() -> None:
    """Check every stored file against its sha256; exit status 1 if any was damaged."""
    from core.store import Store
    from core.store.upkeep import verify

    finding = verify(Store())
    for path in finding.damaged:
        typer.echo(f"damaged, set aside: {path}")
    typer.echo(f"{finding.parts} parts with {finding.requests} texts are whole, {len(finding.damaged)} damaged.")
    if finding.damaged:
        raise typer.Exit(1)


@app.command()
def gc() -> None:
    """Delete scores that no run names and that are older than a day (PAIRLENS_GC_DAYS)."""
    from core.store import Store
    from core.store.upkeep import collect_garbage

    parts, size = collect_garbage(Store())
    typer.echo(f"deleted {parts} parts, {size / 1e6:.1f} MB.")


@app.command()
def export(
    duckdb: Annotated[Path, typer.Option("--duckdb", help="The file to write; it holds everything, tokens too.")],
) -> None:
    """Write the whole store as one DuckDB file."""
    from core.store import Store
    from core.store.catalog import build

    if duckdb.exists():
        raise InputError("it exists already; name another file or delete it first", str(duckdb))
    typer.echo(f"wrote {build(Store(), duckdb, token_rows=True)}")

"""`query`: query the store in SQL, or by a saved query."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError
from pairlens.files.tables import write_table
from pairlens.messages import counted


def query(
    sql: Annotated[str, typer.Argument(help="One SELECT; `$name` stands for a value given with --set.")] = "",
    question: Annotated[
        str, typer.Option("--question", "-q", help="Run this saved query (--questions lists them).")
    ] = "",
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="The value of a parameter.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write full precision to a file: .csv, .json, .parquet and others."),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="The most rows; 0: PAIRLENS_SQL_ROWS.")] = 0,
    timeout: Annotated[float, typer.Option(min=0, help="The most seconds; 0: PAIRLENS_SQL_SECONDS.")] = 0.0,
    schema: Annotated[bool, typer.Option("--schema", help="Print the tables and what their columns mean.")] = False,
    questions: Annotated[bool, typer.Option("--questions", help="Print the saved queries.")] = False,
) -> None:
    """Query the store in SQL, read-only. In a pipe the answer is CSV."""
    from pairlens.store import Store
    from pairlens.store.catalog import SCHEMA
    from pairlens.store.saved_queries import SAVED_QUERIES, answered

    lines = []
    for table, entry in SCHEMA.items() if schema else ():
        lines.append(f"\n{table}: {entry['about']}")
        lines += [f"  {name:<20} {kind:<22} {meaning}" for name, (kind, meaning) in entry["columns"].items()]
    for name, saved in SAVED_QUERIES.items() if questions and not schema else ():
        lines.append(f"{name}: {saved.about}")
        for parameter in saved.parameters:
            usual = f" (usually {parameter.default})" if parameter.default else ""
            lines.append(f"  --set {parameter.name}=...  {parameter.label}{usual}")
    if lines:
        typer.echo("\n".join(lines).strip())
        return
    if bool(sql) == bool(question):
        raise InputError("Give either a SELECT or --question NAME; --questions lists them, --schema the tables.")
    console.check_outputs([], output)
    answer = answered(Store(), sql, question, dict(console.pairs_of("--set", values)), limit, timeout)
    if answer.truncated:
        console.say(f"Truncated: only the first {len(answer.rows):,} rows are here.")
    frame = answer.frame()
    if output:
        write_table(frame, output)
        console.say(f"wrote {counted(len(frame), 'row')} to {output}")
    elif not sys.stdout.isatty():
        typer.echo(frame.to_csv(index=False), nl=False)
    else:
        typer.echo(frame.to_string(index=False, na_rep="") if len(frame) else "no rows")

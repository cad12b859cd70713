"""`reproduce`: a stored run as programs and tables that reproduce its numbers elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.errors import InputError, PolicyError, unknown
from core.files.exports import archive
from core.files.tables import write_files

_ALL = "all"


def reproduce(
    runs: Annotated[list[str], typer.Argument(metavar="RUN [RUN]", help="Ids of runs, as `zero-shot` prints them.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="A folder, or one file: FILE.zip.")],
    form: Annotated[
        list[str] | None, typer.Option("--as", help="minicons | lm-eval | r | notebook | all; more than once.")
    ] = None,
) -> None:
    """Write a run as a minicons program, a task for lm-evaluation-harness, an R program and notebooks.

    Its tables are beside them; README.txt says how to run each, and why one is missing.
    """
    from core.reports.reproduction import FORMS, bundle
    from core.runs.result import read
    from core.store import Store

    requested = form or [_ALL]
    for name in requested:
        if name not in (*FORMS, _ALL):
            raise PolicyError(unknown("form", name, [*FORMS, _ALL]))
    if len(set(runs)) < len(runs):
        raise InputError("the same run is named twice: name each once.")
    store = Store()
    forms = [name for name in FORMS if name in requested or _ALL in requested]
    files = bundle([read(store, run_id) for run_id in runs], forms, store)
    if output.suffix.lower() == ".zip":
        write_files({output: archive(files)})
    else:
        write_files({output / name: content for name, content in files.items()})
    typer.echo(str(files["README.txt"]).rstrip())
    typer.echo(f"written: {output} ({len(files)} files)")

"""`receipt`: how a number of a stored run was made."""

from __future__ import annotations

from math import isclose, isnan
from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import InputError, PolicyError, unknown
from core.files.tables import write_texts
from core.runs.receipts.bibtex import bibtex, keys_of, model_of

FORMATS = ("json", "methods", "bibtex")
_ROUNDING = 1e-9
"""By how much a recomputed number may differ: sums of the same terms in another order."""


def receipt(
    run: Annotated[str, typer.Argument(help="A run's id, as `zero-shot` prints it.")] = "",
    metric: Annotated[str, typer.Option("--metric", help="By default the headline's.")] = "",
    group: Annotated[
        str, typer.Option("--group", help="A group's value, or COLUMN=VALUE; by default all items.")
    ] = "",
    item: Annotated[str, typer.Option("--item", help="One item instead of a metric.")] = "",
    all_items: Annotated[
        bool, typer.Option("--all-items", help="Work out all items, however many; by default a few of many.")
    ] = False,
    form: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "json",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file instead of the screen.")] = None,
    recompute: Annotated[
        Path | None,
        typer.Option(
            "--recompute", metavar="FILE", help="Recompute the number of such a JSON file, without the run."
        ),
    ] = None,
) -> None:
    """From a metric or an item down to the log-probabilities of tokens; a Methods sentence; BibTeX.

    With --recompute, the exit status is 1 if the number of the file does not follow from what it holds.
    """
    from core.runs.receipts.run import selected_receipt
    from core.store import Store

    if bool(run) == bool(recompute):
        raise InputError("Give a run's id, or a receipt with --recompute FILE.")
    if recompute:
        if any((metric, group, item, all_items, output)) or form != "json":
            raise InputError("--recompute takes a file and nothing else: leave the other options out.")
        _recompute(recompute)
        return
    if form not in FORMATS:
        raise PolicyError(unknown("format", form, FORMATS))
    made = selected_receipt(Store(), run, metric, group, item, all_items=all_items)
    text = _written(made, form)
    if output:
        write_texts(output.parent, {output.name: text})
        typer.echo(f"wrote {output}")
    else:
        typer.echo(text.rstrip("\n"))


def _recompute(file: Path) -> None:
    from core.runs.receipts.recompute import recomputed_file

    value, stated = recomputed_file(file)
    typer.echo(f"recomputed\t{value:.12g}\nstated\t{stated:.12g}")
    if not (isclose(value, stated, abs_tol=_ROUNDING) or (isnan(value) and isnan(stated))):
        raise typer.Exit(1)


def _written(made: dict[str, Any], form: str) -> str:
    from core.runs.receipts.methods import methods
    from core.runs.receipts.run import as_json

    if form == "methods":
        return f"{methods(made)}\n"
    return bibtex(keys_of(made), model_of(made)) if form == "bibtex" else as_json(made)

"""`receipt`: how a number of a stored run was made."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from core.errors import PolicyError, unknown
from core.files.tables import write_texts
from core.runs.receipts.bibtex import bibtex, keys_of, model_of
from core.runs.receipts.text import as_json

FORMATS = ("json", "methods", "bibtex")


def receipt(
    run: Annotated[str, typer.Argument(help="A run's id, as `zero-shot` prints it.")],
    metric: Annotated[str, typer.Option("--metric", help="By default the headline's.")] = "",
    group: Annotated[
        str, typer.Option("--group", help="A group's value, or COLUMN=VALUE; by default all items.")
    ] = "",
    item: Annotated[str, typer.Option("--item", help="One item instead of a metric.")] = "",
    candidate: Annotated[int, typer.Option("--candidate", help="Of the item: this candidate, from 0.")] = -1,
    token: Annotated[int, typer.Option("--token", help="Of the candidate: this token, from 0.")] = -1,
    all_items: Annotated[
        bool, typer.Option("--all-items", help="Work out all items, however many; by default a few of many.")
    ] = False,
    form: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "json",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file instead of the screen.")] = None,
) -> None:
    """From a metric, an item, a candidate or a token down to log-probabilities; a Methods sentence; BibTeX."""
    from core.runs.receipts.selection import selected_receipt
    from core.store import Store

    if form not in FORMATS:
        raise PolicyError(unknown("format", form, FORMATS))
    told = selected_receipt(Store(), run, metric, group, item, candidate, token, all_items=all_items)
    text = _written(told, form)
    if output:
        write_texts(output.parent, {output.name: text})
        typer.echo(f"wrote {output}")
    else:
        typer.echo(text.rstrip("\n"))


def _written(told: dict[str, Any], form: str) -> str:

    if form == "methods":
        from core.runs.receipts.methods import methods

        return f"{methods(told)}\n"
    if form == "bibtex":
        return bibtex(keys_of(told), model_of(told))

    return as_json(told)

"""`receipt`: how a number of a stored run was made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from core.store import Store

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
    from core.errors import PolicyError, unknown
    from core.store import Store
    from core.tables import write_texts

    if form not in FORMATS:
        raise PolicyError(unknown("format", form, FORMATS))
    if item and group:
        raise PolicyError("A receipt is about a group or about an item: leave --group or --item out.")
    if (candidate >= 0 and not item) or (token >= 0 and candidate < 0):
        raise PolicyError("--candidate needs --item, and --token needs --candidate.")
    told = _told(Store(), run, metric, group, item, candidate, token, None if all_items else _bound())
    text = _written(told, form)
    if output:
        write_texts(output.parent, {output.name: text})
        typer.echo(f"wrote {output}")
    else:
        typer.echo(text.rstrip("\n"))


def _told(
    store: Store, run: str, metric: str, group: str, item: str, candidate: int, token: int, most: int | None
) -> dict[str, Any]:
    from core.receipts.narrowed import of_candidate, of_token
    from core.receipts.run import receipt, receipt_of_item

    if not item:
        return receipt(store, run, metric, group, most=most)
    told = receipt_of_item(store, run, item, metric)
    if token >= 0:
        return of_token(told, candidate, token)
    return of_candidate(told, candidate) if candidate >= 0 else told


def _bound() -> int:
    from core.receipts.run import MOST_WORKED

    return MOST_WORKED


def _written(told: dict[str, Any], form: str) -> str:
    if form == "methods":
        from core.receipts.methods import methods

        return f"{methods(told)}\n"
    if form == "bibtex":
        from core.receipts.bibtex import bibtex, keys_of, model_of

        return bibtex(keys_of(told), model_of(told))
    from core.receipts.text import as_json

    return as_json(told)

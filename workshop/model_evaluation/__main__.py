"""`python -m workshop.model_evaluation`: measure a bundled model and write the figures into its card, or
print all cards'.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pairlens import models
from pairlens.errors import InputError
from pairlens.reports.model_evaluation import headlines
from pairlens.settings import settings
from pairlens.store import Store
from pairlens.types import Model
from workshop.cards import add_scores
from workshop.model_evaluation import measured
from workshop.program import run


def main(
    name: Annotated[str, typer.Argument(help="A name from `pairlens models`.")] = "",
    data: Annotated[Path, typer.Option(help="Folder with the public test sets, one folder each.")] = Path("data"),
    only: Annotated[
        list[str] | None, typer.Option(help="The key of a figure, as in the card; may be repeated.")
    ] = None,
    store: Annotated[Path | None, typer.Option(help="Where scores are kept, so that it can be stopped.")] = None,
    table: Annotated[bool, typer.Option("--table", help="Print the cards' figures as Markdown.")] = False,
) -> None:
    """Measure a bundled model on complete test sets; figures go into its card one by one."""
    if table:
        print(markdown([model for model in models.catalogue() if model.bundled]), end="")
        return
    if not name:
        raise InputError("Which model? Give its name, or --table for the figures of all cards.")
    kept = Store(store or settings().home / "scorecard", shipped=None)
    for key, found in measured(name, data, kept, tuple(only or ())):
        if found is None:
            print(f"{key}: its test set is not in {data}", file=sys.stderr)
            continue
        add_scores(models.find(name).folder, {key: found})
        print(f"{key} {found['macro']}")


def markdown(models: Sequence[Model]) -> str:
    """A row per model: kind, languages, parameters, tokens seen, headline figures."""
    lines = ["| model | kind | languages | parameters | tokens seen | measured |", "|---|---|---|---|---|---|"]
    for model in models:
        card = model.card
        cells = (
            f"`{model.name}`",
            model.kind,
            str(card.get("language", "")).replace(" ", ", "),
            _millions(card.get("parameters")),
            _millions(card.get("training", {}).get("tokens_seen", card.get("tokens"))),
            ", ".join(headlines(card.get("scores", {}))),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _millions(number: int | None) -> str:
    """`4.6 M`; empty if unknown."""
    return f"{number / 1e6:,.1f} M" if number else ""


if __name__ == "__main__":
    run(main)

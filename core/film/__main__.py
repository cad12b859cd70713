"""`python -m core.film NAME --snapshots FOLDER`: the film of a model, from the weights its training has kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from core.errors import PairlensError
from core.film.shipped import make_film, write_film
from core.models import find


def main(
    name: Annotated[str, typer.Argument(help="A model of the catalogue.")],
    snapshots: Annotated[Path, typer.Option(help="Folder with step-NUMBER.safetensors.")],
    model: Annotated[Path | None, typer.Option(help="Its folder, if it is not in the catalogue.")] = None,
) -> None:
    """Score the gallery and a fast set of our own at every snapshot, and write data/film/NAME.csv."""

    def show(done: int, total: int) -> None:
        print(f"{done} of {total}", file=sys.stderr)

    try:
        print(write_film(make_film(model or find(name).folder, snapshots, show), name))
    except PairlensError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error


if __name__ == "__main__":
    typer.run(main)

"""Options of the programs that read training text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from workshop import program
from workshop.language_models.sources import Origins


def run(make: Callable[[str, Origins, Path, Path], Path], about: str) -> None:
    """Run a program that does what `about` says: `make` with a model's name, origins, models and prepared text."""

    def main(
        name: Annotated[str, typer.Argument(help="Which bundled model.")],
        corpora: Annotated[Path, typer.Option(help="Folder with SOURCES.tsv, en/*.txt.xz, fr/*.txt.xz and so on.")],
        models: Annotated[Path, typer.Option(help="Where model folders are.")] = Path("data/models"),
        benchmarks: Annotated[
            Path | None, typer.Option(help="Folder of test data that must not be trained on.")
        ] = None,
        words: Annotated[list[Path] | None, typer.Option(help="Lists of today's Portuguese words.")] = None,
        work: Annotated[Path, typer.Option(help="Where prepared text is kept.")] = Path(".training-text"),
    ) -> None:
        print(make(name, Origins(corpora, benchmarks, tuple(words or ())), models, work))

    main.__doc__ = about
    program.run(main)

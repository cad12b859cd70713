"""Make a bundled head again: `python -m workshop.heads NAME`; see `workshop.heads.recipes`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from pairlens.training.recipe import Progress
from workshop.heads.recipes import MODELS, Places, make
from workshop.program import run


def main(
    name: Annotated[str, typer.Argument(help="Which head: " + ", ".join(MODELS) + ".")],
    corpora: Annotated[Path | None, typer.Option(help="Folder with SOURCES.tsv, for next sentences.")] = None,
    benchmarks: Annotated[Path | None, typer.Option(help="Folder of test data that must not be trained on.")] = None,
    words: Annotated[list[Path] | None, typer.Option(help="List of today's Portuguese words.")] = None,
    models: Annotated[Path, typer.Option(help="Where the head goes.")] = Path("data/models"),
    work: Annotated[Path, typer.Option(help="Where prepared text is kept.")] = Path(".training-text"),
    base: Annotated[str, typer.Option(help="Another base: a name of the catalogue or a folder.")] = "",
    languages: Annotated[str, typer.Option(help="Languages of the pairs.")] = "en,pt",
    pairs: Annotated[int | None, typer.Option(help="Another number of pairs of each language.")] = None,
) -> None:
    """Make a bundled head again over its base."""
    places = Places(models, work, corpora, benchmarks, tuple(words or ()))
    print(make(name, places, base=base, languages=languages.split(","), number=pairs, report=show))


def show(progress: Progress) -> None:
    """One line for every measurement, on standard error."""
    if progress.accuracy is not None:
        left = "" if progress.seconds_left is None else f", {progress.seconds_left / 60:.1f} min left"
        print(f"{progress.stage} {progress.fraction:.0%}: {progress.accuracy:.1%} right{left}", file=sys.stderr)


if __name__ == "__main__":
    run(main)

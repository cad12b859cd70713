"""Make a bundled language model again: `python -m core.bundled.language_models NAME`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from core.bundled.language_models.options import (
    BenchmarksOption,
    CorporaOption,
    ModelsOption,
    WordsOption,
    WorkOption,
)
from core.bundled.language_models.recipes import MODELS, make
from core.bundled.language_models.sources import Origins
from core.errors import PairlensError
from core.training import Progress


def show(progress: Progress) -> None:
    """One line for every validation, on standard error."""
    if progress.stage != "training" or progress.validation_loss is not None:
        loss = "" if progress.validation_loss is None else f"{progress.validation_loss:.3f} nats"
        print(f"{progress.stage} {progress.fraction:.0%} {loss}".rstrip(), file=sys.stderr)


def main(
    name: Annotated[str, typer.Argument(help="Which bundled model: " + ", ".join(MODELS) + ".")],
    corpora: CorporaOption,
    models: ModelsOption = Path("data/models"),
    benchmarks: BenchmarksOption = None,
    words: WordsOption = None,
    work: WorkOption = Path(".training-text"),
) -> None:
    """Make a bundled model again from its corpora."""
    try:
        folder = make(name, Origins(corpora, benchmarks, tuple(words or ())), models, work, show)
    except PairlensError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error
    print(folder)


if __name__ == "__main__":
    typer.run(main)

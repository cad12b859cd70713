"""Options of the programs that read training text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CorporaOption = Annotated[
    Path, typer.Option(help="Folder with SOURCES.tsv and en/*.txt.xz, fr/*.txt.xz, pt/*.txt.xz.")
]
ModelsOption = Annotated[Path, typer.Option(help="Where model folders are.")]
BenchmarksOption = Annotated[Path | None, typer.Option(help="Folder of test data that must not be trained on.")]
WordsOption = Annotated[list[Path] | None, typer.Option(help="Lists of today's Portuguese words.")]
WorkOption = Annotated[Path, typer.Option(help="Where prepared text is kept.")]

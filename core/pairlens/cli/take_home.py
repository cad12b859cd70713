"""`take-home`: a lesson with its model as one HTML file."""

from pathlib import Path
from typing import Annotated

import typer

from pairlens.cli import console
from pairlens.errors import InputError
from pairlens.files.tables import write_files
from pairlens.studies.lesson import file_of, read


def take_home(
    lesson: Annotated[str, typer.Argument(metavar="LESSON", help="A .toml, a table of pairs, or a shipped lesson.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="FILE.html.")],
    model: Annotated[str, console.model_option("--model", "-m")] = "",
    votes: Annotated[Path | None, typer.Option("--votes", help="A class's votes: step, choice and votes.")] = None,
) -> None:
    """Write one HTML file that needs no network: the lesson, the model, and room for pairs of one's own.

    By default the model that the lesson names, else english-small. Its weights are rounded to fit into 8 MB.
    """
    from pairlens.studies.take_home.making import read_votes
    from pairlens.studies.take_home.making import take_home as page

    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError("what is taken home is a file with the ending .html", str(output))
    file = file_of(lesson)
    console.check_kept([file, votes], [output])
    steps = read(file)
    text = page(steps, model, read_votes(votes, steps) if votes else None)
    write_files({output: text})
    typer.echo(f"written: {output} ({len(text.encode()) / 1e6:.1f} MB)")

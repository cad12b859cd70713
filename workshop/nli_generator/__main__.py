"""Write the evaluation pairs, or training pairs, as a table: `python -m workshop.nli_generator`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from workshop.nli_generator.generate import Generated, evaluation_pairs, pairs
from workshop.nli_generator.words import FOLDER

HELD_OUT = FOLDER / "held_out.tsv"
COLUMNS = ("id", "language", "construction", "premise", "hypothesis", "label", "reverse_label")


def write(rows: list[Generated], path: Path) -> None:
    """One line per pair; no field holds a TAB or a quotation mark."""
    lines = ["\t".join(COLUMNS)]
    lines += ["\t".join((f"{row.language}{place:04}", *row)) for place, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def main(
    training: Annotated[int, typer.Option(help="Write so many training pairs instead.")] = 0,
    language: Annotated[Literal["en", "pt"], typer.Option(help="Of the training pairs.")] = "en",
    seed: Annotated[int, typer.Option(help="Of the training pairs.")] = 1,
    output: Annotated[Path, typer.Option(help="The table; `held_out.tsv` of data/nli by default.")] = HELD_OUT,
) -> None:
    """Write the evaluation pairs, always the same, or training pairs."""
    if training and output == HELD_OUT:
        print("Training pairs are not evaluation pairs: name another file with --output.", file=sys.stderr)
        raise typer.Exit(2)
    write(pairs(language, training, seed) if training else evaluation_pairs(), output)
    print(output)


if __name__ == "__main__":
    typer.run(main)

"""`stereoset convert`: examples from either format into the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.cli import console, stereoset_data
from core.errors import InputError
from core.files.stereoset.examples import KINDS
from core.files.stereoset.original import write_original
from core.files.stereoset.reading import named_language, read_examples
from core.files.stereoset.wide import wide_table
from core.files.tables import check_folder, write_table


def convert(
    source: Annotated[
        list[Path], typer.Option("--input", "-i", help="dev.json, or a wide table; several are joined.")
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "--output-file", "-o", help="A wide .csv .tsv .parquet .jsonl .xlsx, or .json."),
    ],
    language: Annotated[
        str,
        typer.Option(
            "--language", help="Orders the columns; names of files say it (df_intrasentence_de.csv, dev_fr.json)."
        ),
    ] = "",
    skip_intrasentence: stereoset_data.SkipIntraOption = False,
    skip_intersentence: stereoset_data.SkipInterOption = False,
) -> None:  # fmt: skip
    """Convert the original's JSON into the successor's wide table, and back.

    A table of one task has exactly the successor's columns; a table of both has `task` as its last column.
    """
    check_folder(output.parent)
    console.check_outputs(source, output)
    kinds = stereoset_data.kinds_left((skip_intrasentence, skip_intersentence))
    examples = read_examples(*source, language=language or named_language(output)).only(kinds)
    if not len(examples):
        raise InputError(f"there is no {' or '.join(kinds)} example.", ", ".join(path.name for path in source))
    if output.suffix.lower() == ".json":
        write_original(examples, output)
    else:
        write_table(wide_table(examples, kinds, as_text=output.suffix.lower() != ".jsonl"), output)
    counts = ", ".join(f"{len(examples.by_kind[kind]):,} {kind}" for kind in KINDS)
    typer.echo(f"{counts} examples; {len(examples.left_out):,} left out, {len(examples.notes):,} notes")
    stereoset_data.remark("left out", examples.left_out, every=True)
    stereoset_data.remark("note", examples.notes, every=True)
    typer.echo(f"written: {output}")

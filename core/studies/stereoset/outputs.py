"""Numbers into files, as the ending says.

    .json                           the metrics JSON of the original or of the successor; other entries are kept
    .xlsx                           the successor's workbook; other rows and sheets are kept
    .csv .tsv .jsonl .parquet       ours: a row per number with its interval
    .tex                            a table for a paper

The formats of the originals count ties as the originals do unless told otherwise, the others as chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.files.tables import check_folder, write_table, write_texts
from core.studies.stereoset.latex import latex
from core.studies.stereoset.measured import Measured
from core.studies.stereoset.metrics_files import write_metrics
from core.studies.stereoset.workbook import append_to_workbook

_TABLES = (".csv", ".tsv", ".jsonl", ".parquet")
ENDINGS = (".json", ".xlsx", *_TABLES, ".tex")
_NUMBERS = ("metrics.json", "results.xlsx", "numbers.csv", "numbers.tex")
_ROWS = ("terms", "triples")


def check_output(path: Path) -> None:
    """InputError for an ending that is not one of `ENDINGS`, and where nothing can be written."""
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"cannot write a file of this kind. Expected {', '.join(ENDINGS)}.", path.name)
    check_folder(path.parent)


def files_of(folder: Path) -> list[Path]:
    """What `write_folder` writes into a folder."""
    return [folder / name for name in (*_NUMBERS, *(f"{name}.csv" for name in _ROWS))]


def write_numbers(
    ours: Sequence[Measured], published: Sequence[Measured], path: Path, names: str, decimal: str = "."
) -> None:
    """Write the numbers of models; `published` are the same models with ties as the originals' formats count them.

    `names` says whose names a metrics JSON has (`core.studies.stereoset.metrics_files.NAMES`), `decimal` is LaTeX's
    mark.
    """
    match path.suffix.lower():
        case ".json":
            write_metrics(published, path, names)
        case ".xlsx":
            for model in published:
                append_to_workbook(model, path)
        case ".tex":
            write_texts(path.parent, {path.name: latex(ours, decimal=decimal)})
        case _:
            write_table(pd.concat([model.table() for model in ours], ignore_index=True), path)


def write_folder(
    ours: Sequence[Measured], published: Sequence[Measured], folder: Path, names: str, decimal: str = "."
) -> None:
    """Everything: the formats above, and ours with a row per term and a row per example."""
    for name in _NUMBERS:
        write_numbers(ours, published, folder / name, names, decimal)
    for name in _ROWS:
        tables = [getattr(model, name).assign(model=model.name) for model in ours]
        write_table(pd.concat(tables, ignore_index=True), folder / f"{name}.csv")

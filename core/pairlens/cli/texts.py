"""Texts from a file with one per line, or from a table's column; and the options of verbs that read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from pairlens.cli import console
from pairlens.errors import InputError, StoreError
from pairlens.files.tables import PLAIN, ending, guesses, read_lines, read_table
from pairlens.text import none_empty

if TYPE_CHECKING:
    from pairlens.store import Store

T = TypeVar("T")

_ABOUT = "One text per line (.txt, also .gz .xz), or a table (.csv .tsv .jsonl ...)."
INPUT = typer.Option("--input", "-i", help=_ABOUT)
InputOption = Annotated[Path, INPUT]
ColumnOption = Annotated[str, typer.Option("--column", help="The table's column of texts (text or sentence).")]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help=".tsv .csv .json .jsonl .parquet .xlsx; else TSV is printed.")
]

_TEXT_COLUMNS = ("text", "sentence")


def read_texts(file: Path, column: str, *, blanks: bool = False) -> list[str]:
    """The texts of a file; InputError says where an empty one is. `blanks`: empty lines are skipped."""
    for guess in guesses(file):
        console.say(guess)
    lines = read_lines(file) if ending(file) in PLAIN else []
    tabs = {line.count("\t") for line in lines if line}  # in every line as many, but for none, they part cells
    tabbed = ending(file) != ".txt" and len(tabs) == 1 and tabs != {0}
    if lines and not tabbed:
        selected = [line for line in lines if line.strip()] if blanks else lines
        return none_empty(selected, f"{file}, line")
    table = read_table(file, delimiter="\t" if tabbed else "")
    name = column or next((name for name in _TEXT_COLUMNS if name in table.columns), "")
    if name not in table.columns:
        wanted = f"column '{column}'" if column else "column 'text' or 'sentence'"
        raise InputError(
            f"no {wanted}; it has {', '.join(map(repr, table.columns))}. Name one with --column", str(file)
        )
    texts = table[name].astype(object)
    return none_empty(texts.where(texts.notna(), None).tolist(), f"{file}, row")


def kept_if_possible(score: Callable[[Store], T]) -> T:
    """What `score` finds, kept in the store; where that cannot be written, it is said first, and nothing is kept."""
    from pairlens.store import Store

    store = Store()
    try:
        store.check_writable()
    except StoreError as error:
        console.say(f"Nothing is kept: {error}")
        with TemporaryDirectory() as folder:
            return score(Store(Path(folder)))
    return score(store)

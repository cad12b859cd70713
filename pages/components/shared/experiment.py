"""An experiment as a visitor brings it: a table, and the roles of its columns."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from pairlens.analysis.experiment import Columns
from pairlens.files import tables
from pairlens.files.row_mistakes import collected
from pairlens.studies.experiment.columns import guess_columns, table_of_lines
from pairlens.studies.experiment.design import Design, read_design, typed_design

TYPED = "typed lines"


@dataclass(frozen=True)
class Source:
    """Where the table is: a file, with its `layout`, or typed lines.

    `ours`: it was made by Pairlens, so that nothing about it had to be guessed. `language` as in the cards of models,
    empty if unknown.
    """

    data: Path | tuple[str, ...]
    layout: tables.Layout = tables.Layout()  # noqa: RUF009 (frozen)
    ours: bool = False
    language: str = ""

    @property
    def name(self) -> str:
        """What messages and files call it."""
        return self.data.name if isinstance(self.data, Path) else TYPED

    def read(self) -> tuple[pd.DataFrame, Columns]:
        """The table and what its columns probably are; InputError in words."""
        if not isinstance(self.data, Path):
            return table_of_lines(self.data)
        table = tables.read_laid_out(self.data, self.layout)
        return table, guess_columns(table)

    def whole_rows(self) -> tuple[pd.DataFrame, Columns]:
        """The same without rows that have another number of cells than the first."""
        with collected():
            return self.read()


@dataclass(frozen=True)
class Experiment:
    source: Source
    columns: Columns

    def read(self) -> Design:
        """The table as sentences and pairs; InputError in words."""
        table, guessed = self.source.read()
        if not isinstance(self.source.data, Path) and self.columns == guessed:
            return typed_design(self.source.data)  # which knows the numbers of the lines
        return read_design(table, self.columns, self.source.name)

"""What a visitor asks of an experiment: a table, the roles of its columns, a region, models, an analysis."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.analysis.experiment import Analysis, Columns
from core.files import tables
from core.scoring.recipe import Recipe
from core.studies.experiment.columns import guess_columns
from core.studies.experiment.design import Design, read_design, typed_design
from core.studies.experiment.region import Region
from core.studies.experiment.typed import table_of_lines

TYPED = "typed lines"


@dataclass(frozen=True)
class Source:
    """Where the table is: a file, with its `delimiter` and `encoding` (guessed if empty), or typed lines.

    `ours`: it was made by Pairlens, so that nothing about it had to be guessed. `language` as in the cards of models,
    empty if unknown.
    """

    data: Path | tuple[str, ...]
    delimiter: str = ""
    encoding: str = ""
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
        table = tables.read_table(self.data, delimiter=self.delimiter, encoding=self.encoding)
        return table, guess_columns(table)


@dataclass(frozen=True)
class Experiment:
    """A table whose columns have roles."""

    source: Source
    columns: Columns

    def read(self) -> Design:
        """The table as sentences and pairs; InputError in words."""
        table, guessed = self.source.read()
        if not isinstance(self.source.data, Path) and self.columns == guessed:
            return typed_design(self.source.data)  # which knows the numbers of the lines
        return read_design(table, self.columns, self.source.name)


@dataclass(frozen=True)
class Question:
    """An experiment, its region, the models that were asked and how their scores are looked at."""

    experiment: Experiment
    region: Region
    recipes: tuple[Recipe, ...]
    analysis: Analysis

    @property
    def identity(self) -> tuple[object, ...]:
        """What tells questions apart."""
        models = [(recipe.model.name, recipe.fingerprint, repr(recipe.policy)) for recipe in self.recipes]
        return repr(self.experiment), repr(self.region), models, repr(self.analysis)

"""What a plan will take: texts, time, memory and price, before anything is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from core.errors import PairlensError
from core.plans.cells import Cell, DataSets
from core.runs.estimate import estimate
from core.scoring.model_cache import memory_megabytes
from core.scoring.recipe import Recipe
from core.store import Store

_BESIDES = 600
"""Megabytes that a worker takes beside weights, measured: 450 are torch and transformers, the rest a batch of tokens.

A batch takes more where states are wider than GPT-2 medium's, which have 1,024 numbers.
"""


@dataclass(frozen=True, slots=True)
class CellNeeds:
    """A cell's distinct texts, and how many of them the store lacks; `refused` says why it cannot be run."""

    cell: Cell
    texts: int = 0
    missing: int = 0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """What one model of a plan needs: seconds, and megabytes of memory for each worker.

    Workers share the processors, so that their number changes little. `measured`: the seconds rest on a run of these
    weights on this machine.
    """

    model: str
    cells: tuple[CellNeeds, ...]
    seconds: float = 0.0
    megabytes: float = 0.0
    measured: bool = False

    @property
    def missing(self) -> int:
        """Texts to be scored; those that several tasks share are counted for each."""
        return sum(one.missing for one in self.cells)


def needs(cells: Sequence[Cell], store: Store) -> list[ModelNeeds]:
    """What each model of a plan needs. Reads each data set once, and the store's keys; loads no model."""
    of_cells = [CellNeeds(cell) for cell in cells]
    for _, same in groupby(sorted(enumerate(cells), key=_data_of), key=_data_of):
        read = DataSets()
        for number, cell in same:
            of_cells[number] = _cell_needs(cell, store, read)
    return [_needs(name, tuple(group), store) for name, group in groupby(of_cells, key=lambda one: one.cell.model)]


def _data_of(numbered: tuple[int, Cell]) -> tuple[str, Path]:
    return numbered[1].task.name, numbered[1].data


def price(models: Sequence[ModelNeeds], per_hour: float) -> float:
    """What a plan costs on a machine like this one, at its price per hour."""
    return sum(one.seconds for one in models) / 3600 * per_hour


def memory(cells: Sequence[Cell]) -> float:
    """Bytes that a worker needs for the largest model: it holds one at a time."""
    recipes = {cell.recipe.fingerprint: cell.recipe for cell in cells if cell.recipe}
    return max(map(_megabytes, recipes.values()), default=0.0) * 1e6


def _megabytes(recipe: Recipe) -> float:
    return memory_megabytes(recipe) + _BESIDES


def _needs(model: str, cells: tuple[CellNeeds, ...], store: Store) -> ModelNeeds:
    seconds, megabytes, measured = 0.0, 0.0, []
    for recipe in {one.cell.recipe.fingerprint: one.cell.recipe for one in cells if one.cell.recipe}.values():
        texts = sum(
            one.missing for one in cells if one.cell.recipe and one.cell.recipe.fingerprint == recipe.fingerprint
        )
        megabytes = max(megabytes, _megabytes(recipe))
        if texts:
            guess = estimate(texts, recipe, store)
            seconds += guess.seconds
            measured.append(guess.measured)
    return ModelNeeds(model, cells, seconds, megabytes, bool(measured) and all(measured))


def _cell_needs(cell: Cell, store: Store, read: DataSets) -> CellNeeds:
    if cell.refused:
        return CellNeeds(cell, refused=cell.refused)
    try:
        planned = cell.planned(read)
    except PairlensError as error:
        return CellNeeds(cell, refused=str(error))
    return CellNeeds(cell, len(planned.requests), planned.missing(store))

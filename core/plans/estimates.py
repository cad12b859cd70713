"""What a plan will take: texts, time, memory and price, before anything is run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

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
    of_cells = [CellNeeds(cell, refused=cell.refused) for cell in cells]
    read, last = DataSets(), None
    for number, cell in sorted(enumerate(cells), key=lambda one: (one[1].task.name, one[1].data)):
        if (cell.task.name, cell.data) != last:
            read, last = DataSets(), (cell.task.name, cell.data)
        if not cell.refused:
            try:
                planned = cell.planned(read)
                of_cells[number] = CellNeeds(cell, len(planned.requests), planned.missing(store))
            except PairlensError as error:
                of_cells[number] = CellNeeds(cell, refused=str(error))
    return [_of_model(name, tuple(group), store) for name, group in groupby(of_cells, key=lambda one: one.cell.model)]


def _of_model(model: str, cells: tuple[CellNeeds, ...], store: Store) -> ModelNeeds:
    texts: Counter[str] = Counter()
    recipes = {}
    for needed in cells:
        if recipe := needed.cell.recipe:
            recipes[recipe.fingerprint] = recipe
            texts[recipe.fingerprint] += needed.missing
    guesses = [estimate(texts[name], recipe, store) for name, recipe in recipes.items() if texts[name]]
    seconds = sum(guess.seconds for guess in guesses)
    measured = bool(guesses) and all(guess.measured for guess in guesses)
    return ModelNeeds(model, cells, seconds, max(map(_megabytes, recipes.values()), default=0.0), measured)


def memory(cells: Sequence[Cell]) -> float:
    """Bytes that a worker needs for the largest model: it holds one at a time."""
    recipes = {cell.recipe.fingerprint: cell.recipe for cell in cells if cell.recipe}
    return max(map(_megabytes, recipes.values()), default=0.0) * 1e6


def _megabytes(recipe: Recipe) -> float:
    return memory_megabytes(recipe) + _BESIDES

"""What a plan will take: texts, time, memory and price, before anything is run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from core.errors import PairlensError
from core.plans.cells import Cell
from core.runs.estimate import estimate
from core.scoring.model_cache import memory_megabytes
from core.store import Store


@dataclass(frozen=True, slots=True)
class CellNeeds:
    """A cell's distinct texts, and how many of them the store lacks; `refused` says why it cannot be run."""

    cell: Cell
    texts: int = 0
    missing: int = 0
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """What one model of a plan needs: seconds on one worker, and megabytes for the weights of each worker.

    `measured`: the seconds rest on a run of these weights on this machine.
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
    """What each model of a plan needs. Reads all data and the store's keys; loads no model."""
    return [_needs(name, [*group], store) for name, group in groupby(cells, key=lambda cell: cell.model)]


def price(found: Sequence[ModelNeeds], per_hour: float) -> float:
    """What a plan costs at a price per hour of one worker; how many work at the same time changes nothing."""
    return sum(one.seconds for one in found) / 3600 * per_hour


def _needs(model: str, cells: Sequence[Cell], store: Store) -> ModelNeeds:
    found = tuple(_cell_needs(cell, store) for cell in cells)
    seconds, megabytes, measured = 0.0, 0.0, []
    for cell in {one.recipe.fingerprint: one for one in cells if one.recipe}.values():
        recipe = cell.recipe
        assert recipe is not None
        texts = sum(
            one.missing for one in found if one.cell.recipe and one.cell.recipe.fingerprint == recipe.fingerprint
        )
        megabytes = max(megabytes, memory_megabytes(recipe))
        if texts:
            guess = estimate(texts, recipe, store)
            seconds += guess.seconds
            measured.append(guess.measured)
    return ModelNeeds(model, found, seconds, megabytes, bool(measured) and all(measured))


def _cell_needs(cell: Cell, store: Store) -> CellNeeds:
    if cell.refused:
        return CellNeeds(cell, refused=cell.refused)
    try:
        planned = cell.planned()
    except PairlensError as error:
        return CellNeeds(cell, refused=str(error))
    return CellNeeds(cell, len(planned.requests), planned.missing(store))

"""How many items a set has, in words."""

from __future__ import annotations

from collections.abc import Sequence

from core.types import Item
from pages.components import resources_of_experiments
from pages.components.chosen import Chosen
from pages.components.notices import counted


def count_items(chosen: Chosen, items: Sequence[Item]) -> str:
    """`100 pairs`; of an experiment without pairs its sentences."""
    if chosen.experiment and not items:
        return counted(len(resources_of_experiments.design(chosen.experiment).sentences), "sentence")
    return counted(len(items), chosen.noun)

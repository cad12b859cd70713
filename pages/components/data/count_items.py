"""How many items a set has, in words."""

from __future__ import annotations

from collections.abc import Sequence

from core.types import Item
from pages.components.data import resources
from pages.components.data.chosen import Chosen
from pages.components.shared.notices import counted


def count_items(chosen: Chosen, items: Sequence[Item]) -> str:
    """`100 pairs`; of an experiment without pairs its sentences."""
    if chosen.experiment and not items and (design := resources.reading(chosen).design):
        return counted(len(design.sentences), "sentence")
    return counted(len(items), chosen.noun)

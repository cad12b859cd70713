"""Two by two designs: does one factor change the effect of the other?

A difference between two sentences may have many causes; those that two such differences share cancel in their
difference. If leaving out the comma in *When the servant left(,) the house was dark* costs as much after *left* as
after *arrived*, where nothing can be misread, the cause is the missing comma and not a garden path.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis._item_cells import KEY, TESTED, cell_name, item_cells, summary
from core.analysis._over_items import STATISTICS
from core.analysis.experiment import Analysis, Columns, refuse_taken
from core.errors import InputError, unknown

Levels = tuple[str, str]
Reals = NDArray[np.float64]


@dataclass(frozen=True)
class Interaction:
    """A 2 x 2 design of factors a and b with levels a1, a2 and b1, b2, in the measure of the analysis.

    All statistics are over items: see `core.analysis._over_items`. p_holm corrects p for the number of a model's
    regions (Holm 1979).

    table      the interaction (a1b1 - a1b2) - (a2b1 - a2b2): one row per model and region, with `TESTED`
    effects    the same columns for the `effect` (text) and its `kind`: `simple` (b1 - b2 at each level of a) and
               `main` (a1 - a2, and b1 - b2, over both levels of the other)
    cells      one row per model, region and cell: the factors' levels, `cell` (its name), `n_items`, `mean`,
               `low` and `high`
    items      one row per model, region and item: `value` (the interaction) and one column per cell
    excluded   `model`, `region`, `item`, `reason`
    """

    factors: tuple[str, str]
    levels: tuple[Levels, Levels]
    table: pd.DataFrame
    effects: pd.DataFrame
    cells: pd.DataFrame
    items: pd.DataFrame
    excluded: pd.DataFrame


def interaction(
    regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis, factors: tuple[str, str]
) -> Interaction:
    """The interaction of two columns of the sentences (conditions, `comparison`) with two values each.

    Levels keep the order of the table. An item's sentences in the same cell (of a third factor, say) are averaged.
    `core.analysis._item_cells` says what an item is and when it counts.
    Raises InputError unless there are two different factors with two levels and an item with all four cells.
    """
    levels = levels_of(sentences, columns, factors)
    places = [(one, other) for one in levels[0] for other in levels[1]]
    names = [cell_name(place) for place in places]
    in_place = [(sentences[list(factors)] == list(place)).all(axis=1).to_numpy(bool) for place in places]
    found = item_cells(regions, sentences, dict(zip(names, in_place, strict=True)), analysis)
    values = found.values[names].to_numpy(np.float64)
    items = found.values[KEY].assign(value=values @ _INTERACTION, **found.values[names])
    of_cells = [
        summary(items, found.parts, name).assign(cell=name, **dict(zip(factors, place, strict=True)))
        for name, place in zip(names, places, strict=True)
    ]
    of_effects = [
        summary(items.assign(value=values @ weights), found.parts).assign(effect=effect, kind=kind)
        for effect, kind, weights in _effects(factors, levels)
    ]
    return Interaction(
        factors=factors,
        levels=levels,
        table=summary(items, found.parts),
        effects=pd.concat(of_effects, ignore_index=True)[[*KEY[:2], "effect", "kind", *TESTED]],
        cells=pd.concat(of_cells, ignore_index=True)[[*KEY[:2], *factors, "cell", *STATISTICS[:4]]],
        items=items,
        excluded=found.excluded,
    )


_INTERACTION = np.array([1.0, -1.0, -1.0, 1.0])
"""Weights of the cells a1b1, a1b2, a2b1, a2b2."""


def _effects(factors: tuple[str, str], levels: tuple[Levels, Levels]) -> list[tuple[str, str, Reals]]:
    """Text, kind and weights of the four simpler effects."""
    (a1, a2), (b1, b2) = levels
    return [
        (f"{b1} - {b2}, {factors[0]} {a1}", "simple", np.array([1.0, -1.0, 0.0, 0.0])),
        (f"{b1} - {b2}, {factors[0]} {a2}", "simple", np.array([0.0, 0.0, 1.0, -1.0])),
        (f"{a1} - {a2}", "main", np.array([0.5, 0.5, -0.5, -0.5])),
        (f"{b1} - {b2}", "main", np.array([0.5, -0.5, 0.5, -0.5])),
    ]


def levels_of(sentences: pd.DataFrame, columns: Columns, factors: tuple[str, str]) -> tuple[Levels, Levels]:
    """The two levels of each factor; InputError unless there are two different factors with two levels each."""
    known = [*columns.conditions, *(["comparison"] if "comparison" in sentences else [])]
    for factor in factors:
        if factor not in known:
            raise InputError(unknown("condition", factor, known))
    if factors[0] == factors[1]:
        raise InputError(f"An interaction needs two different conditions: '{factors[0]}' was chosen twice.")
    refuse_taken(factors, ("model", "region", "effect", "kind", "cell", *TESTED))
    return _two(sentences, factors[0]), _two(sentences, factors[1])


def _two(sentences: pd.DataFrame, factor: str) -> Levels:
    found = [str(level) for level in sentences[factor].dropna().unique()]
    if len(found) != 2:
        shown = ", ".join(found[:5]) + (", ..." if len(found) > 5 else "")
        raise InputError(f"An interaction needs conditions with two values: '{factor}' has {len(found)} ({shown}).")
    return found[0], found[1]

"""The figures of a model's card, and how to get them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pairlens import __version__, identity
from pairlens.scoring.recipe import Recipe
from pairlens.store import Store
from pairlens.types import Model

Figures = Mapping[str, Any]
"""As in a card: `macro` (the headline, per cent), `pairs` (items that count), `policy` (a description); mostly also
`low` and `high` (95 % interval over items), `left_out` (items that could not be scored), `part` (of a public set),
and per cent by name in `by_<group>`, `baselines` and `published`. `signature` names model, data and choices by their
digests."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Figures of a model: their key in its card, the data they need (None: none), and how to get them.

    `figures` scores only what the store lacks, so that an interrupted measurement continues.
    """

    key: str
    data: Path | None
    figures: Callable[[Store], Figures]


def languages(model: Model) -> list[str]:
    """The codes on the model's card."""
    return str(model.card.get("language", "")).split()


def signature(what: str, texts: Iterable[str], recipe: Recipe) -> str:
    """The signature of figures that are not from a stored run."""
    data = identity.dataset_hash(texts)
    return identity.signature(what, 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__)


def percent(share: float) -> float:
    """A share between 0 and 1 in per cent, to two decimals."""
    return round(100 * float(share), 2)

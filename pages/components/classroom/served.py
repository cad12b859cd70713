"""The class that this process serves, for the threads of its pages and its routes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.studies.classroom.kept import Kept

_served: list[Served] = []


@dataclass(frozen=True, slots=True)
class Served:
    kept: Kept
    address: str


def serve(one: Served) -> None:
    _served[:] = [one]


def served() -> Served | None:
    """The class that is served; None on any other dashboard."""
    return _served[0] if _served else None

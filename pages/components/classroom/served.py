"""The class that this process serves, for the threads of its pages and its routes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pairlens.studies.classroom.kept import Kept


@dataclass(frozen=True, slots=True)
class Served:
    kept: Kept
    address: str


SERVED: list[Served] = []
"""One; on any other dashboard none."""

"""A file to take away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """A file that is made when it is asked for."""

    label: str
    data: Callable[[], str | bytes]
    name: str
    kind: str = "application/octet-stream"

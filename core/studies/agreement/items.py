"""The items of an agreement set, with what is known of them beside the sentences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from core.studies.agreement.heuristics import described, read_parses
from core.tasks.agreement import TASK
from core.types import Item


def read_items(source: Path, table: Path | None = None, parses: Path | None = None) -> Iterator[Item]:
    """As the task `agreement` reads them; `parses` (CoNLL-U) tells the heuristics that no file says."""
    items = TASK.read(source, table)
    if parses is None:
        return items
    parsed = read_parses(parses)
    return (described(item, parsed) for item in items)

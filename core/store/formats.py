"""The version of the store's layout; any other is refused, with a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import StoreError
from core.settings import program

FORMAT = 2
UNSEALED = 1
"""The format of version 0.1.0, without seals and the sha256 of a run's tables, which is read as it is."""


def check_format(path: Path, found: Mapping[str, Any]) -> None:
    """StoreError if the object read from this file has another format than this version of Pairlens reads.

    One that states none is not refused: it is damaged, which whoever needs its other fields finds.
    """
    version = found.get("format", FORMAT)
    if version in (FORMAT, UNSEALED):
        return
    older = isinstance(version, int) and version < FORMAT
    todo = f"bring it up to date ({program()} store migrate)" if older else "update Pairlens"
    raise StoreError(
        f"{path} has format {version}, this version of Pairlens reads {FORMAT}: {todo}, or set PAIRLENS_HOME to "
        "another folder."
    )

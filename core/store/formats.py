"""The version of the store's layout; any other is refused, with a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.errors import StoreError

FORMAT = 2


def check_format(path: Path, found: Mapping[str, Any]) -> None:
    """StoreError if the object read from this file has another format than this version of Pairlens reads.

    One that states none is not refused: it is damaged, which whoever needs its other fields finds.
    """
    version = found.get("format", FORMAT)
    if version == FORMAT:
        return
    older = isinstance(version, int) and version < FORMAT
    todo = "set PAIRLENS_HOME to another folder and run it again" if older else "update Pairlens"
    raise StoreError(
        f"{path} has format {version}, this version of Pairlens reads {FORMAT}: {todo}. Nothing in it is changed."
    )

"""The tables for other programs (`results.duckdb`), after a run went or came back."""

from __future__ import annotations

from threading import Thread

from core.store import catalog
from pages.components.shared import resources


def publish_tables() -> None:
    """Write them anew beside the page, which never reads them: that takes seconds where there are many runs."""
    Thread(target=catalog.publish, args=(resources.store(),), daemon=True).start()

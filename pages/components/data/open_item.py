"""An item's texts, and the link that opens them in Compare."""

from __future__ import annotations

from core.files.item_rows import sides
from core.policies import Policy
from core.types import Item
from pages.components.shared.link import open_in_compare


def open_item(item: Item, hint: str = "") -> None:
    """The right and a wrong text, the one that is part of `hint` if any is; nothing for an item with one text."""
    if found := sides(item, hint):
        open_in_compare(*found, "", Policy())

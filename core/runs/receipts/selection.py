"""The receipt that is asked for: of a metric, of a group, of an item, or of one of its candidates or tokens."""

from __future__ import annotations

from typing import Any

from core.errors import PolicyError
from core.runs.receipts.narrowed import of_candidate, of_token
from core.runs.receipts.run import MOST_WORKED, receipt, receipt_of_item
from core.store import Store


def selected_receipt(
    store: Store,
    run_id: str,
    metric: str = "",
    group: str = "",
    item: str = "",
    candidate: int = -1,
    token: int = -1,
    *,
    all_items: bool = False,
) -> dict[str, Any]:
    """As `core.runs.receipts.run` and `narrowed` make it; candidates and tokens count from 0, -1 asks for none.

    PolicyError for what does not go together; else errors as there.
    """
    if item and group:
        raise PolicyError("A receipt is about a group or about an item: leave --group or --item out.")
    if (candidate >= 0 and not item) or (token >= 0 and candidate < 0):
        raise PolicyError("--candidate needs --item, and --token needs --candidate.")
    if not item:
        return receipt(store, run_id, metric, group, most=None if all_items else MOST_WORKED)
    told = receipt_of_item(store, run_id, item, metric)
    if token >= 0:
        return of_token(told, candidate, token)
    return of_candidate(told, candidate) if candidate >= 0 else told

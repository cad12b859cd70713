"""What a group of an item cannot be called: the columns that run, candidate and metric tables have themselves."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import InputError

TAKEN = frozenset((
    "item", "item_id", "candidate", "label", "gold", "context", "text", "term", "weight", "temperature", "logprob",
    "n_tokens", "n_scored", "n_straddling", "fingerprint", "request_key", "correct", "tie", "undecided", "margin",
    "length_only", "chance", "excluded",
))  # fmt: skip
"""Columns of `core.store.runs.ITEMS`, of the candidate table and of metrics' statistics: groups stand beside them."""


def refuse_taken(names: Iterable[str], item: str) -> None:
    """InputError if a group of this item is called like one of these columns."""
    if found := TAKEN.intersection(names):
        raise InputError(
            f"A group of item '{item}' is called '{min(found)}', as a column of Pairlens' own tables is: rename it, "
            f"for example to 'given_{min(found)}'."
        )

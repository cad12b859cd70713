"""Changes to a text, and the sentence that reports them."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_SHOWN = 6
"""Kinds of change that a notice names."""


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of typed text, its replacement (empty if it was deleted), and how often it occurred."""

    original: str
    replacement: str
    count: int


def describe(changes: Iterable[Change]) -> str:
    """One plain sentence, the most frequent changes first; empty if nothing was changed.

    >>> describe([Change("’", "'", 2), Change("\\u00a0", " ", 1)])
    "’ was read as ' (2 times), no-break space as space."
    """
    counts: Counter[tuple[str, str]] = Counter()
    for change in changes:
        counts[_name(change.original), _name(change.replacement)] += change.count
    parts: list[str] = []
    for (original, replacement), count in counts.most_common(_SHOWN):
        verb = "as" if parts else "was read as"
        parts.append(f"{original} {verb} {replacement}" + (f" ({count} times)" if count > 1 else ""))
    if len(counts) > _SHOWN:
        parts.append(f"and {len(counts) - _SHOWN} other kinds of change")
    return ", ".join(parts) + "." if parts else ""


def _name(text: str) -> str:
    """The text made visible: invisible characters by name, stretches with spaces in quotation marks."""
    if not text:
        return "nothing"
    if len(text) == 1:
        visible = unicodedata.category(text) not in ("Zs", "Zl", "Zp", "Cf", "Cc")
        return text if visible else unicodedata.name(text, "control character").lower()
    if unicodedata.normalize("NFC", text) != text:
        return f"{text} (accents as separate characters)"
    return f'"{text}"' if " " in text else text

"""How a table marks the regions of a sentence: bars between them, or positions in a column of their own."""

from __future__ import annotations

import re

from core.types import Span

BAR = "|"
_POSITION = r"\d{1,6}(\.0)?"
"""Also 3.0, as programs write whole numbers in a column with gaps."""
_POSITIONS = re.compile(rf"{_POSITION}(\s*,\s*{_POSITION})*")


def part_at_bars(sentence: str) -> tuple[str, tuple[Span, ...]]:
    """The sentence without its bars, and the span of each region between them.

    White space on either side of a bar becomes one space; without any, the regions are joined. A region may be empty:
    it still counts, so that the regions of two sentences have the same numbers.

    >>> part_at_bars("The key |to the cabinets| is here.")
    ('The key to the cabinets is here.', ((0, 7), (8, 23), (24, 32)))
    """
    text, spans, spaced = "", [], False
    for part in sentence.split(BAR):
        region = part.strip()
        if region and text and (spaced or part[0].isspace()):
            text += " "
        spans.append((len(text), len(text) + len(region)))
        text += region
        spaced = part[-1:].isspace() or (spaced and not region)
    return text, tuple(spans)


def positions(cell: str) -> tuple[int, ...] | None:
    """The distinct positions in a cell such as `3,4`, in order; None if it holds anything else.

    >>> positions("4, 3"), positions("three")
    ((3, 4), None)
    """
    cell = cell.strip().removeprefix("[").removesuffix("]").strip()
    return tuple(sorted({int(float(one)) for one in cell.split(",")})) if _POSITIONS.fullmatch(cell) else None

"""What was found inside a model, as sentences and as tables of text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from core.studies.inside.average import MeanMap
from core.studies.inside.pair import Inside
from core.studies.inside.question import DIRECTIONS, FIRST, SMALLEST, Question

EVIDENCE = (
    "A high share marks a place whose state suffices to move the decision: not the only such place, and not a proof "
    "that the model uses it by itself in other sentences."
)
"""What a map is evidence for."""


def margin(beginning: str, forms: tuple[str, str], bits: float) -> str:
    """`After “The keys to the cabinet”, “are” leads “is” by 3.0 bits.`"""
    ahead, behind = forms if bits >= 0 else forms[::-1]
    return f"After “{beginning.strip()}”, “{ahead}” leads “{behind}” by {abs(bits):.1f} bits."


def settles(beginning: str, layer: int, forms: tuple[str, str], bits: float) -> str:
    """From which layer the sign is that of the end."""
    ahead = forms[0] if bits >= 0 else forms[1]
    return f"After “{beginning.strip()}”, “{ahead}” leads from layer {layer} on."


def unaligned(found: Inside) -> str:
    """What has no counterpart, and so no cells; empty if everything is aligned."""
    if found.alignment.whole:
        return ""
    start = found.alignment.start
    parts = [
        f"“{''.join(tokens[start : start + count]) or 'nothing'}” ({count} {'token' if count == 1 else 'tokens'})"
        for tokens, count in zip(found.tokens, found.alignment.parted, strict=True)
    ]
    return f"Not aligned, and so without cells: {parts[0]} in the first beginning and {parts[1]} in the second."


def no_share(found: Inside) -> str:
    """Why there are no shares; empty if there are."""
    first, second = found.margins
    if abs(first - second) >= SMALLEST:
        return ""
    return (
        f"Both beginnings give margins that differ by less than {SMALLEST} bits: there is nothing to move, so no "
        "share is given."
    )


def half(found: Inside, direction: str) -> str:
    """`More than half moves at ·key (layers 0 to 5) and ·cabinet (layer 6).`, or that it does nowhere."""
    cells = found.cells[found.cells["direction"] == direction]
    places = [
        f"{own['token'].iloc[0]} ({_layers(own['layer'].tolist())})"
        for _, own in cells[cells["share"] > 0.5].groupby("position")
    ]
    if not places:
        return "" if cells["share"].isna().all() else "No single state moves more than half of the difference."
    return f"More than half of the difference moves at {' and '.join(places)}."


def _layers(layers: list[int]) -> str:
    low, high = min(layers), max(layers)
    if low == high:
        return f"layer {low}"
    if len(layers) == high - low + 1:
        return f"layers {low} to {high}"
    return f"layers {', '.join(map(str, layers))}"


def direction_title(question: Question, direction: str) -> str:
    """Which beginning is put into which."""
    donor, receiver = question.beginnings if direction == FIRST else question.beginnings[::-1]
    return f"States of “{donor.strip()}” put into “{receiver.strip()}”"


def lines(found: Inside) -> Iterator[str]:
    """Everything for a terminal: margins, both maps, the ladder."""
    question = found.question
    for beginning, bits in zip(question.beginnings, found.margins, strict=True):
        yield margin(beginning, question.forms, bits)
    yield from filter(None, (unaligned(found), no_share(found)))
    for direction in DIRECTIONS:
        cells = found.cells[found.cells["direction"] == direction]
        yield ""
        yield f"{direction_title(question, direction)}: share of the difference that moves ({found.component})"
        places = cells.drop_duplicates("position").sort_values("position")
        yield from grid(cells, "share", "position", places["position"].tolist(), places["token"].tolist())
        yield from filter(None, [half(found, direction)])
    yield ""
    yield f"Margin of {question.forms[0]} over {question.forms[1]} as each layer would give it, in bits"
    yield from _table(["layer", *question.beginnings], found.ladder.to_numpy().tolist())
    for beginning, layer, bits in zip(question.beginnings, found.settled, found.margins, strict=True):
        yield settles(beginning, layer, question.forms, bits)
    yield ""
    yield EVIDENCE


def grid(
    cells: pd.DataFrame, column: str, place: str, places: Sequence[object], names: Sequence[str]
) -> Iterator[str]:
    """A map of one direction as text: a row per layer, the last one on top, a column per place."""
    by_layer = cells.pivot(index="layer", columns=place, values=column)[[*places]].sort_index(ascending=False)
    rows = [(layer, *values) for layer, values in zip(by_layer.index, by_layer.to_numpy().tolist(), strict=True)]
    yield from _table(["layer", *names], rows)


def mean_lines(found: MeanMap) -> Iterator[str]:
    """A mean map for a terminal: by direction the shares, half the width of their intervals, and both controls."""
    for direction in DIRECTIONS:
        cells = found.cells[found.cells["direction"] == direction]
        cells = cells.assign(half=(cells["share_high"] - cells["share_low"]) / 2)
        donor, receiver = ("first", "second") if direction == FIRST else ("second", "first")
        yield (
            f"States of the {donor} beginnings put into the {receiver} ones, {found.n:,} items ({found.component}); "
            f"mean difference {found.differences[direction]:.2f} bits"
        )
        for title, column in _MEAN_GRIDS.items():
            yield f"  {title}"
            yield from ("  " + line for line in grid(cells, column, "region", found.regions, found.regions))
        yield ""
    yield EVIDENCE


_MEAN_GRIDS = {
    "share of the difference that moves": "share",
    "± (half of the 95 % interval)": "half",
    "control: an unrelated beginning with the receiver's own right form": "unrelated",
    "control: a random direction of the same size": "random",
}


def _table(names: Sequence[str], rows: Sequence[Sequence[float]]) -> Iterator[str]:
    written = [
        [str(int(row[0])), *("–" if math.isnan(value) else f"{round(value, 2) + 0.0:.2f}" for value in row[1:])]
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(names, *written, strict=True)]
    for row in (names, *written):
        yield "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))

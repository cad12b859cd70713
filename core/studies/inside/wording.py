"""What was found inside a model, as sentences and tables of text; and how it was computed."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from core import __version__, identity
from core.policies import CHOICES
from core.runs.receipts import sentences
from core.runs.receipts.scored_by import by_recipe, made_with, number, recipe_values
from core.studies.inside.pair import Inside
from core.studies.inside.question import DIRECTIONS, FIRST, SMALLEST, Question, patched
from core.studies.inside.runs import MeanMap

EVIDENCE = (
    "A high share marks a place whose state suffices to move the decision: not the only such place, and not a proof "
    "that the model uses it by itself in other sentences."
)
"""What a map is evidence for."""
_RESIDUAL = "residual"
COMPONENTS = {_RESIDUAL: "State (residual stream)", "attention": "Attention output", "mlp": "MLP output"}
_NAMED = {_RESIDUAL: "state", "attention": "attention output", "mlp": "MLP output"}
_MOST = 0.5
"""Of the difference, moved in both directions."""
SHARE = (
    "A patch takes the state that one beginning has at one layer and token and puts it into the run of the other. "
    "Each beginning has a margin: by how many bits the first form leads the second after it, the end of the word "
    "counted as chosen under Scoring. The share is how much of the difference between the two margins the patch "
    "moves: 0 % nothing, 100 % all of it; below 0 it moves the other way. Layer 0 is the embedding. In two places "
    "100 % is no finding but how networks work: at layer 0 where a single token differs, and in the last layer at "
    "the last token, from whose state the next word is read."
)
SOURCES = (
    "Patching: Vig et al. 2020, Finlayson et al. 2021, Meng et al. 2022, Arora et al. 2024. Reading earlier layers "
    "through the end of the network (logit lens): nostalgebraist 2020."
)


def headline(found: Inside) -> str:
    """How late in the network a single place moves most of the decision both ways, and from where the end does."""
    best = telling(found, "first")
    what, layer, last = _NAMED[found.component], best["layer"], int(found.cells["layer"].max())
    moves = f"the {what} of {_place(best)} moves {_moved(best)}."
    if best["least"] <= _MOST:
        before = (
            f" before the last {'token' if found.alignment.end else 'layer'}" if found.component == _RESIDUAL else ""
        )
        return f"No single {what}{before} moves more than half of the difference both ways. In layer {layer}, {moves}"
    if found.component != _RESIDUAL:
        return f"In layer {layer}, {moves}"
    return f"As late as layer {layer} of {last}, {moves}{_at_the_end(found)}"


def telling(found: Inside, direction: str) -> pd.Series:
    """The cell that says most, in this direction; `back` is the other one's share, `least` the lesser of both.

    Of states, the one of the latest layer that moves more than half both ways; else the one that moves most both
    ways. Those of the last token are left out where something else differs: what is decided arrives there sooner or
    later.
    """
    both = _both(found, direction)
    if found.component == _RESIDUAL:
        both = both[both["layer"] < both["layer"].max()]
        if found.alignment.end:
            both = both[both["position"] < both["position"].max()]
        most = both[both["least"] > _MOST]
        both = most[most["layer"] == most["layer"].max()] if len(most) else both
    return both.sort_values("least", ascending=False, kind="stable").iloc[0]


def patch(found: Inside, one: pd.Series) -> str:
    """What the patch of one cell moves, beside its control."""
    forms = found.question.forms
    gains, on = forms if one["bits"] >= 0 else forms[::-1]
    moved = f"“{gains}” gains {abs(one['bits']):.1f} bits on “{on}”"
    if pd.isna(one["share"]):
        return f"{moved}."
    share, control = _percent(one["share"]), _percent(one["random"])
    return f"{moved}, {share} of the difference. A random direction of the same size: {control}."


def plain(token: str) -> str:
    return token.removeprefix("·") or token


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
    yield from _table(["layer", *names], by_layer.reset_index().to_numpy().tolist())


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


def _both(found: Inside, direction: str) -> pd.DataFrame:
    """The cells of a direction with what they move the other way round."""
    own, place = found.cells["direction"] == direction, ["layer", "position", "donor_position"]
    swapped = {"position": "donor_position", "donor_position": "position", "share": "back"}
    both = found.cells[own].merge(found.cells[~own].rename(columns=swapped)[[*place, "back"]], on=place)
    return both.assign(least=both[["share", "back"]].min(axis=1))


def _at_the_end(found: Inside) -> str:
    """From which layer on the last token's state moves most both ways, where it is not what differs."""
    both = _both(found, "first")
    end = both[both["position"] == both["position"].max()].set_index("layer")
    less = end.index[end["least"] <= _MOST]
    start = int(less.max()) + 1 if len(less) else 0
    if not found.alignment.end or start not in end.index:
        return ""
    return f" From layer {start} on, that of the last token, “{plain(end['token'].iloc[0])}”, moves most of it."


def _place(one: pd.Series) -> str:
    donor, receiver = plain(one["donor_token"]), plain(one["token"])
    return f"“{donor}”" if donor == receiver else f"“{donor}”, put in place of “{receiver}”,"


def _moved(one: pd.Series) -> str:
    return f"{_percent(one['share'])} of the difference (the other way round {_percent(one['back'])})"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %".replace("-0 %", "0 %")


def receipt(found: Inside) -> dict[str, Any]:
    """The full computation as plain JSON values; a share that there is not is None."""
    question, recipe = found.question, patched(found.recipe)
    data = identity.dataset_hash([identity.canonical([*question.beginnings, *question.forms, found.component])])
    return {
        "signature": identity.signature("inside", 1, "", data, recipe.kind, recipe.model, recipe.policy, __version__),
        **recipe_values(recipe),
        "first": found.question.first,
        "second": found.question.second,
        "forms": list(found.question.forms),
        "margins_bits": {"first": number(found.margins[0]), "second": number(found.margins[1])},
        "cells": _rows(found.cells),
        "ladder": _rows(found.ladder),
        "settled": {"first": found.settled[0], "second": found.settled[1]},
        "tokens": {"first": found.tokens[0], "second": found.tokens[1]},
        "remarks": [*filter(None, (unaligned(found), no_share(found)))],
        "evidence": EVIDENCE,
        "made_with": made_with(recipe),
    }


def mean_receipt(found: MeanMap) -> dict[str, Any]:
    """The mean map of a run as plain JSON values; what there is not is None. The run has its own receipt."""
    return {
        "run": found.run_id,
        "signature": found.signature,
        "component": found.component,
        "regions": found.regions,
        "items": found.n,
        "differences_bits": {name: number(value) for name, value in found.differences.items()},
        "cells": _rows(found.cells),
        "evidence": EVIDENCE,
    }


def methods(found: Inside) -> str:
    policy = found.recipe.policy
    return sentences.sentence(
        sentences.computed(by_recipe(patched(found.recipe))),
        f"states of the {found.component} were exchanged one layer and one position at a time, in both directions",
        "shares are of the difference between the margins of the two beginnings",
        CHOICES["word_value"][policy.word_value],
    )


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return [
        {str(name): number(value) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.to_dict("records")
    ]

"""Maps and ladders as sentences and tables of text; and how they were computed."""

from collections.abc import Iterator
from textwrap import indent
from typing import Any

import pandas as pd

from pairlens.evaluation.receipts import sentences
from pairlens.evaluation.receipts.scored_by import by_recipe, number
from pairlens.messages import counted
from pairlens.policies import CHOICES
from pairlens.studies.inside.pair import Inside
from pairlens.studies.inside.question import DIRECTIONS, SMALLEST, Question, patched
from pairlens.studies.inside.runs import MeanMap
from pairlens.studies.provenance import receipt_of

EVIDENCE = (
    "A high share marks a place whose state suffices to move the decision: not the only such place, and not a proof "
    "that the model uses it by itself in other sentences."
)
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


def headline(inside: Inside) -> str:
    """How late in the network a single place moves most of the decision both ways, and from where the end does."""
    best = telling(inside, "first")
    what, layer, states = _NAMED[inside.component], best["layer"], inside.component == _RESIDUAL
    donor, receiver = plain(best["donor_token"]), plain(best["token"])
    place = f"“{donor}”" if donor == receiver else f"“{donor}”, put in place of “{receiver}”,"
    moves = (
        f"the {what} of {place} moves {_percent(best['share'])} of the difference (the other way round "
        f"{_percent(best['back'])})."
    )
    if best["least"] <= _MOST:
        before = f" before the last {'token' if inside.alignment.end else 'layer'}" if states else ""
        return f"No single {what}{before} moves more than half of the difference both ways. In layer {layer}, {moves}"
    if not states:
        return f"In layer {layer}, {moves}"
    return f"As late as layer {layer} of {inside.cells['layer'].max()}, {moves}{_at_the_end(inside)}"


def telling(inside: Inside, direction: str) -> pd.Series:
    """The cell that says most, in this direction; `back` is the other one's share, `least` the lesser of both.

    Of states, that of the latest layer that moves more than half both ways; else the one that moves most. Those of
    the last token are left out where something else differs: what is decided arrives there sooner or later.
    """
    both = _both(inside, direction)
    if inside.component == _RESIDUAL:
        both = both[both["layer"] < both["layer"].max()]
        if inside.alignment.end:
            both = both[both["position"] < both["position"].max()]
        most = both[both["least"] > _MOST]
        both = most[most["layer"] == most["layer"].max()] if len(most) else both
    return both.sort_values("least", ascending=False, kind="stable").iloc[0]


def patch(inside: Inside, cell: pd.Series) -> str:
    gains, on = _ahead(inside.question, cell["bits"])
    moved = f"“{gains}” gains {abs(cell['bits']):.1f} bits on “{on}”"
    if pd.isna(cell["share"]):
        return f"{moved}."
    share, control = _percent(cell["share"]), _percent(cell["random"])
    return f"{moved}, {share} of the difference. A random direction of the same size: {control}."


def plain(token: str) -> str:
    return token.removeprefix("·") or token


def margins(inside: Inside) -> Iterator[str]:
    """`After “The keys to the cabinet”, “are” leads “is” by 3.0 bits.`: a sentence for each beginning."""
    for beginning, bits in zip(inside.question.beginnings, inside.margins, strict=True):
        ahead, behind = _ahead(inside.question, bits)
        yield f"After “{beginning.strip()}”, “{ahead}” leads “{behind}” by {abs(bits):.1f} bits."


def settles(inside: Inside) -> Iterator[str]:
    """From which layer on the sign is that of the end, a sentence for each beginning."""
    for beginning, layer, bits in zip(inside.question.beginnings, inside.settled, inside.margins, strict=True):
        yield f"After “{beginning.strip()}”, “{_ahead(inside.question, bits)[0]}” leads from layer {layer} on."


def _ahead(question: Question, bits: float) -> tuple[str, str]:
    first, second = question.forms
    return (first, second) if bits >= 0 else (second, first)


def remarks(inside: Inside) -> Iterator[str]:
    if not inside.alignment.whole:
        start = inside.alignment.start
        first, second = (
            f"“{''.join(tokens[start : start + count]) or 'nothing'}” ({counted(count, 'token')})"
            for tokens, count in zip(inside.tokens, inside.alignment.parted, strict=True)
        )
        yield f"Not aligned, and so without cells: {first} in the first beginning and {second} in the second."
    if abs(inside.margins[0] - inside.margins[1]) < SMALLEST:
        yield (
            f"Both beginnings give margins that differ by less than {SMALLEST} bits: there is nothing to move, so no "
            "share is given."
        )


def half(inside: Inside, direction: str) -> str:
    """`More than half moves at ·key (layers 0 to 5) and ·cabinet (layer 6).`, or that it does nowhere."""
    cells = inside.cells[inside.cells["direction"] == direction]
    places = [
        f"{own['token'].iloc[0]} ({_layers(own['layer'].tolist())})"
        for _, own in cells[cells["share"] > _MOST].groupby("position")
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
    donor = DIRECTIONS.index(direction)
    return f"States of “{question.beginnings[donor].strip()}” put into “{question.beginnings[1 - donor].strip()}”"


def mean_title(direction: str) -> str:
    """The same of many items."""
    return f"States of the {direction} beginnings put into the {DIRECTIONS[1 - DIRECTIONS.index(direction)]} ones"


def lines(inside: Inside) -> Iterator[str]:
    yield from (*margins(inside), *remarks(inside))
    for direction in DIRECTIONS:
        cells = inside.cells[inside.cells["direction"] == direction]
        title = direction_title(inside.question, direction)
        yield f"\n{title}: share of the difference that moves ({inside.component})"
        yield _grid(cells, "share", "position", cells.groupby("position")["token"].first())
        yield from filter(None, [half(inside, direction)])
    first, second = inside.question.forms
    yield f"\nMargin of {first} over {second} as each layer would give it, in bits"
    yield _text(inside.ladder.set_axis(["layer", *inside.question.beginnings], axis="columns"))
    yield from (*settles(inside), "", EVIDENCE)


def mean_lines(mean: MeanMap) -> Iterator[str]:
    """A mean map for a terminal: by direction the shares, half the width of their intervals, and both controls."""
    for direction in DIRECTIONS:
        cells = mean.cells[mean.cells["direction"] == direction]
        cells = cells.assign(half=(cells["share_high"] - cells["share_low"]) / 2)
        items = f"{counted(mean.n, 'item')} ({mean.component})"
        yield f"{mean_title(direction)}, {items}; mean difference {mean.differences[direction]:.2f} bits"
        for title, column in _MEAN_GRIDS.items():
            yield f"  {title}"
            yield indent(_grid(cells, column, "region", pd.Series(mean.regions, mean.regions)), "  ")
        yield ""
    yield EVIDENCE


_MEAN_GRIDS = {
    "share of the difference that moves": "share",
    "± (half of the 95 % interval)": "half",
    "control: an unrelated beginning with the receiver's own right form": "unrelated",
    "control: a random direction of the same size": "random",
}


def _grid(cells: pd.DataFrame, column: str, place: str, names: pd.Series) -> str:
    """A map of one direction as text: a row per layer, the last one on top, a column per place with its name."""
    by_layer = cells.pivot(index="layer", columns=place, values=column)[names.index].sort_index(ascending=False)
    return _text(by_layer.set_axis(names, axis="columns").reset_index())


def _text(table: pd.DataFrame) -> str:
    """A table whose first column are layers; zero has no sign."""
    rounded = table.set_axis(range(table.shape[1]), axis="columns").round(2) + 0
    named = rounded.set_axis([str(name) for name in table.columns], axis="columns")
    return str(named.to_string(index=False, col_space=5, na_rep="–", float_format="{:.2f}".format))


def _both(inside: Inside, direction: str) -> pd.DataFrame:
    """The cells of a direction with what they move the other way round."""
    own, place = inside.cells["direction"] == direction, ["layer", "position", "donor_position"]
    swapped = {"position": "donor_position", "donor_position": "position", "share": "back"}
    both = inside.cells[own].merge(inside.cells[~own].rename(columns=swapped)[[*place, "back"]], on=place)
    return both.assign(least=both[["share", "back"]].min(axis=1))


def _at_the_end(inside: Inside) -> str:
    """From which layer on the last token's state moves most both ways, where it is not what differs."""
    both = _both(inside, "first")
    end = both[both["position"] == both["position"].max()].set_index("layer")
    less = end.index[end["least"] <= _MOST]
    start = int(less.max()) + 1 if len(less) else 0
    if not inside.alignment.end or start not in end.index:
        return ""
    return f" From layer {start} on, that of the last token, “{plain(end['token'].iloc[0])}”, moves most of it."


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %".replace("-0 %", "0 %")


def receipt(inside: Inside) -> dict[str, Any]:
    question, sides = inside.question, dict(zip(DIRECTIONS, inside.question.beginnings, strict=True))
    data = [[*question.beginnings, *question.forms, inside.component]]
    return receipt_of(
        "inside", data, patched(inside.recipe), **sides, forms=list(question.forms),
        margins_bits=dict(zip(DIRECTIONS, map(number, inside.margins), strict=True)),
        cells=_rows(inside.cells), ladder=_rows(inside.ladder),
        settled=dict(zip(DIRECTIONS, inside.settled, strict=True)),
        tokens=dict(zip(DIRECTIONS, inside.tokens, strict=True)),
        remarks=[*remarks(inside)], evidence=EVIDENCE,
    )  # fmt: skip


def mean_receipt(mean: MeanMap) -> dict[str, Any]:
    """The mean map of a run as plain JSON values; what there is not is None. The run has its own receipt."""
    return {
        "run": mean.run_id,
        "signature": mean.signature,
        "component": mean.component,
        "regions": mean.regions,
        "items": mean.n,
        "differences_bits": {name: number(value) for name, value in mean.differences.items()},
        "cells": _rows(mean.cells),
        "evidence": EVIDENCE,
    }


def methods(inside: Inside) -> str:
    return sentences.sentence(
        sentences.computed(by_recipe(patched(inside.recipe))),
        f"states of the {inside.component} were exchanged one layer and one position at a time, in both directions",
        "shares are of the difference between the margins of the two beginnings",
        CHOICES["word_value"][inside.recipe.policy.word_value],
    )


def _rows(table: pd.DataFrame) -> list[dict[str, Any]]:
    return table.astype(object).where(table.notna(), None).to_dict("records")  # type: ignore[return-value]

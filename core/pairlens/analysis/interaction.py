"""Designs of two or three factors with two levels each: does one factor change the effect of the others?

And a contrast written as arithmetic over cells: `(left.nocomma - left.comma) - (arrived.nocomma - arrived.comma)`.

A difference between two sentences may have many causes; those that two such differences share cancel in their
difference. If leaving out the comma in *When the servant left(,) the house was dark* costs as much after *left* as
after *arrived*, where nothing can be misread, the cause is the missing comma and not a garden path.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pairlens.analysis._over_items import KEY, STATISTICS, TESTED, cell_name, item_cells, summary
from pairlens.analysis.experiment import EXPECTED, UNEXPECTED, Analysis, Columns, refuse_taken
from pairlens.analysis.regions import per_word
from pairlens.errors import InputError, unknown
from pairlens.files.formulas import parsed

if TYPE_CHECKING:
    from lark import Token, Tree


TEST = "one-sample t over items, by region with Holm's correction"
"""The test of `p`, and the correction of `p_holm`."""
Levels = tuple[str, str]
Reals = NDArray[np.float64]
_DIFFERENCE, _MEAN = np.array([1.0, -1.0]), np.array([0.5, 0.5])
_AT = np.eye(2)
_VALUE = r"""(?:"[^"]+"|'[^']+'|[^\W\d]\w*)"""
_GRAMMAR = rf"""
?sum: product | sum "+" product -> add | sum _MINUS product -> sub
?product: signed | product "*" signed -> mul | product "/" signed -> truediv
?signed: atom | _MINUS signed -> neg | "+" signed
?atom: CELL -> cell | NUMBER -> number | "(" sum ")"
CELL: /{_VALUE}(?:\.{_VALUE})*/
_MINUS: /[-−]/
%import common.NUMBER
%ignore /\s+/
"""
_EXPECTED = (
    "It may hold cells, numbers, + - * / and parentheses; a value that is more than a word is put in quotation "
    'marks: left."no comma".'
)

_OPERATIONS = {name: getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "neg")}


@dataclass(frozen=True)
class Interaction:
    """A design of factors a, b (and c) with levels a1, a2, b1, b2, in the measure of the analysis.

    All statistics are over items: see `pairlens.analysis._over_items`. p_holm corrects p for the number of a model's
    regions (Holm 1979).

    table      the interaction (a1b1 - a1b2) - (a2b1 - a2b2), or the difference of two such interactions of b and c,
               at a1 and at a2: one row per model and region, with `TESTED`
    effects    the same columns for the `effect` (text) and its `kind`: `simple` (b1 - b2, or the interaction of b and
               c, at each level of a), `two-way` (of three factors, over both levels of the third) and `main` (a1 -
               a2, b1 - b2, over all levels of the others)
    cells      one row per model, region and cell: the factors' levels, `cell` (its name), `n_items`, `mean`,
               `low` and `high`
    items      one row per model, region and item: `value` (the interaction) and one column per cell
    excluded   `model`, `region`, `item`, `reason`
    per_word   whether the numbers are bits per word (`pairlens.analysis.regions.per_word`)
    n_beyond   regions after the last one that is told (`pairlens.studies.experiment.findings.everywhere`)
    """

    factors: tuple[str, ...]
    levels: tuple[Levels, ...]
    table: pd.DataFrame
    effects: pd.DataFrame
    cells: pd.DataFrame
    items: pd.DataFrame
    excluded: pd.DataFrame
    per_word: bool = False
    n_beyond: int = 0


def interaction(
    regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis, factors: tuple[str, ...]
) -> Interaction:
    """The interaction of two or three columns of the sentences (conditions, `comparison`) with two values each.

    Levels keep the order of the table, but the comparison's expected one is the first. An item's sentences in the
    same cell (of a further factor, say) are averaged. `pairlens.analysis._over_items` says what an item is and when
    it counts. Raises InputError unless there are different factors with two levels each and an item with all cells.
    """
    levels = levels_of(sentences, columns, factors)
    places = list(product(*levels))
    own = sentences[list(factors)]
    members = {cell_name(place): (own == list(place)).all(axis=1).to_numpy(bool) for place in places}
    cells, names = item_cells(regions, sentences, members, analysis), [*members]
    values = cells.values[names].to_numpy(np.float64)
    items = cells.values[KEY].assign(value=values @ _weights([_DIFFERENCE] * len(factors)), **cells.values[names])
    of_cells = [
        summary(items, cells.parts, name).assign(cell=name, **dict(zip(factors, place, strict=True)))
        for name, place in zip(names, places, strict=True)
    ]
    of_effects = [
        summary(items.assign(value=values @ _weights(parts)), cells.parts).assign(effect=effect, kind=kind)
        for effect, kind, parts in _effects(factors, levels)
    ]
    return Interaction(
        factors=factors,
        levels=levels,
        table=summary(items, cells.parts),
        effects=pd.concat(of_effects, ignore_index=True)[[*KEY[:2], "effect", "kind", *TESTED]],
        cells=pd.concat(of_cells, ignore_index=True)[[*KEY[:2], *factors, "cell", *STATISTICS[:4]]],
        items=items,
        excluded=cells.excluded,
        per_word=per_word(regions, analysis),
    )


def _weights(parts: Sequence[Reals]) -> Reals:
    """Weights of the cells, in the order of `itertools.product`, from those of each factor's two levels."""
    return reduce(lambda one, other: np.kron(one, other).astype(np.float64), parts)


def _effects(factors: tuple[str, ...], levels: tuple[Levels, ...]) -> list[tuple[str, str, list[Reals]]]:
    """Text, kind and, factor by factor, the weights of the simpler effects."""
    rest = range(1, len(factors))
    effects = [
        (f"{_effect(factors, levels, rest)}, {factors[0]} {level}", "simple", [at, *([_DIFFERENCE] * len(rest))])
        for level, at in zip(levels[0], _AT, strict=True)
    ]
    for size in reversed(rest):
        for chosen in combinations(range(len(factors)), size):
            parts = [_DIFFERENCE if place in chosen else _MEAN for place in range(len(factors))]
            effects.append((_effect(factors, levels, chosen), "main" if size == 1 else "two-way", parts))
    return effects


def _effect(factors: tuple[str, ...], levels: tuple[Levels, ...], chosen: Sequence[int]) -> str:
    return " - ".join(levels[chosen[0]]) if len(chosen) == 1 else " × ".join(factors[place] for place in chosen)


def levels_of(sentences: pd.DataFrame, columns: Columns, factors: tuple[str, ...]) -> tuple[Levels, ...]:
    """The two levels of each factor; InputError unless the factors differ and have two levels each."""
    known = [*columns.conditions, *(["comparison"] if "comparison" in sentences else [])]
    for factor in factors:
        if factor not in known:
            raise InputError(unknown("condition", factor, known))
        if factors.count(factor) > 1:
            raise InputError(f"An interaction needs different conditions: '{factor}' was chosen twice.")
    refuse_taken(factors, ("model", "region", "effect", "kind", "cell", *TESTED))
    levels = {factor: [str(level) for level in sentences[factor].dropna().unique()] for factor in factors}
    for factor, names in levels.items():
        if (n := len(names)) != 2:
            shown = ", ".join(names[:5]) + (", ..." if n > 5 else "")
            raise InputError(f"An interaction needs conditions with two values: '{factor}' has {n} ({shown}).")
        first = {"comparison": EXPECTED, columns.comparison: columns.expected}.get(factor)
        names.sort(key=lambda name: name != first)  # else as in the table
    return tuple((names[0], names[1]) for names in levels.values())


@dataclass(frozen=True)
class Contrast:
    """The results of a formula, in the measure of the analysis: tables as those of `Interaction`."""

    table: pd.DataFrame
    items: pd.DataFrame
    excluded: pd.DataFrame


def contrast(
    expression: str, regions: pd.DataFrame, sentences: pd.DataFrame, columns: Columns, analysis: Analysis
) -> Contrast:
    """Compute the formula for every item and region, and compare its mean with 0.

    A cell is named by its values of the conditions, in their order, joined with dots; `expected` or `unexpected`, or
    what the table calls them, may follow, else both are averaged. A value of several words, or one that begins with a
    digit, needs quotation marks. Operators are `+ - * /`; numbers and parentheses are allowed.
    `pairlens.analysis._over_items` says what an item is and when it counts; one without a finite result is excluded
    too. Raises InputError if the formula cannot be read, or names no cell or an unknown one, or if no item has all
    cells.
    """
    tree = parsed(expression, _GRAMMAR, "sum", _EXPECTED)
    members = _members(tree, sentences, columns)
    cells = item_cells(regions, sentences, members, analysis)
    value = _value(tree, {name: cells.values[name].to_numpy(np.float64) for name in members})
    items, finite = cells.values[KEY].assign(value=value, **cells.values[list(members)]), np.isfinite(value)
    endless = items.loc[~finite, KEY].assign(reason="the formula has no finite number")
    return Contrast(
        table=summary(items[finite], cells.parts),
        items=items[finite].reset_index(drop=True),
        excluded=pd.concat([cells.excluded, endless], ignore_index=True),
    )


def cells_of(expression: str, sentences: pd.DataFrame, columns: Columns) -> list[str]:
    """The cells that a formula names; InputError if it cannot be read, or names no cell or an unknown one."""
    return list(_members(parsed(expression, _GRAMMAR, "sum", _EXPECTED), sentences, columns))


def example(sentences: pd.DataFrame, columns: Columns) -> str:
    """An example formula over the first cells of a design; over the two sides of its comparison, if it has one."""
    table, factors = _own(sentences, columns), list(columns.conditions)
    if "comparison" in table:
        factors.append("comparison")
    cells = list(_cells(table, factors))
    if len(cells) >= 4:
        return "({} - {}) - ({} - {})".format(*cells)
    return " - ".join(cells[:2])


def _members(tree: Tree[Token], sentences: pd.DataFrame, columns: Columns) -> dict[str, NDArray[np.bool_]]:
    known = _cells(sentences, list(columns.conditions))
    if "comparison" in sentences:
        for table in (sentences, _own(sentences, columns)):
            known |= _cells(table, [*columns.conditions, "comparison"])
    cells = sorted(tree.find_data("cell"), key=lambda cell: cast("Token", cell.children[0]).start_pos or 0)
    named = [_name(cell) for cell in cells]
    for name in named:
        if name not in known:
            raise InputError(unknown("cell", name, known))
    if not named:
        raise InputError(f"The formula names no cell. Known: {', '.join(known)}.")
    return {name: rows for name, rows in known.items() if name in named}


def _own(sentences: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    if "comparison" not in sentences:
        return sentences
    own = {EXPECTED: columns.expected, UNEXPECTED: columns.unexpected}
    return sentences.assign(comparison=sentences["comparison"].map(own))


def _cells(sentences: pd.DataFrame, columns: list[str]) -> dict[str, NDArray[np.bool_]]:
    """The sentences of each combination of values in these columns, by its name."""
    if not columns:
        return {}
    codes = sentences.groupby(columns, sort=False).ngroup().to_numpy()
    firsts = sentences[codes >= 0].drop_duplicates(columns)[columns].astype("str")
    return {cell_name(values): codes == code for code, values in enumerate(firsts.itertuples(index=False, name=None))}


def _name(cell: Tree[Token]) -> str:
    """A cell's name with quotation marks only where they are needed."""
    values = re.findall(_VALUE, str(cell.children[0]))
    return cell_name(value[1:-1] if value[0] in "\"'" else value for value in values)


def _value(tree: Tree[Token], cells: dict[str, Reals]) -> Reals:
    """The formula's value for each item. Subtrees come before the trees that contain them."""
    n_items = len(next(iter(cells.values())))
    values: dict[int, Any] = {}
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for node in tree.iter_subtrees():
            if node.data == "cell":
                values[id(node)] = cells[_name(node)]
            elif node.data == "number":
                values[id(node)] = np.full(n_items, float(str(node.children[0])))
            else:
                values[id(node)] = _OPERATIONS[node.data](*(values[id(child)] for child in node.children))
    return np.asarray(values[id(tree)], np.float64)

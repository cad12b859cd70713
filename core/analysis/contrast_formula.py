"""A contrast written as arithmetic over cells: `(left.nocomma - left.comma) - (arrived.nocomma - arrived.comma)`."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from core.analysis._over_items import KEY, cell_name, item_cells, summary
from core.analysis.experiment import EXPECTED, UNEXPECTED, Analysis, Columns
from core.errors import InputError, unknown
from core.files.formulas import parsed

if TYPE_CHECKING:
    from lark import Token, Tree

Reals = NDArray[np.float64]

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
class Contrast:
    """The results of a formula, in the measure of the analysis.

    table      one row per model and region: `core.analysis._over_items.TESTED`, over items
    items      one row per model, region and item: `value` and one column per cell
    excluded   `model`, `region`, `item`, `reason`
    """

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
    `core.analysis._over_items` says what an item is and when it counts; an item without a finite result is excluded
    too.
    Raises InputError if the formula cannot be read, or names no cell or an unknown one, or if no item has all cells.
    """
    tree = parsed(expression, _GRAMMAR, "sum", _EXPECTED)
    members = _members(tree, sentences, columns)
    found = item_cells(regions, sentences, members, analysis)
    cells = {name: found.values[name].to_numpy(np.float64) for name in members}
    value = _value(tree, cells)
    items = found.values[KEY].assign(value=value, **found.values[list(members)])
    finite = np.isfinite(value)
    endless = items.loc[~finite, KEY].assign(reason="the formula has no finite number")
    return Contrast(
        table=summary(items[finite], found.parts),
        items=items[finite].reset_index(drop=True),
        excluded=pd.concat([found.excluded, endless], ignore_index=True),
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
    named = [_name(cell) for cell in sorted(tree.find_data("cell"), key=_place)]
    for name in named:
        if name not in known:
            raise InputError(unknown("cell", name, known))
    if not named:
        raise InputError(f"The formula names no cell. Known: {', '.join(known)}.")
    return {name: rows for name, rows in known.items() if name in named}


def _own(sentences: pd.DataFrame, columns: Columns) -> pd.DataFrame:
    """The sentences with the table's own names for the two sides of the comparison."""
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


def _place(cell: Tree[Token]) -> int:
    return cast("Token", cell.children[0]).start_pos or 0


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

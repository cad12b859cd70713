"""Predictions about regions: `[(6;%plaus%) + (7;%plaus%)] < [(6;%implaus%) + (7;%implaus%)]`.

The notation of SyntaxGym (Gauthier et al. 2020, ACL). `(6;%plaus%)` is the surprisal of region 6 in condition
`plaus`, in bits, `(*;%plaus%)` that of the whole sentence. There are numbers, `+ -` (read from left to right), the
comparisons `< > =`, `&`, which binds more closely than `|`, and brackets of both kinds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby, permutations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pairlens.errors import InputError

if TYPE_CHECKING:
    from lark import Lark, Token, Tree


_JOINED = {"&": "; and ", "|": "; or "}
_THAN = {">": "more surprising {}than", "<": "less surprising {}than", "=": "as surprising {}as"}
_SIGNS = {"+": "plus", "-": "minus"}


def in_words(formula: Formula) -> str:
    """A prediction in words; conditions keep the names that the suite gives them."""
    if not isinstance(formula, Operation) or formula.symbol in _SIGNS:
        return _amount_in_words(formula)
    if formula.symbol in _JOINED:
        return _JOINED[formula.symbol].join(in_words(side) for side in (formula.left, formula.right))
    left, right = _sum(formula.left), _sum(formula.right)
    if left and right and left[0] == right[0]:
        what, first, second = left[0], f"in {left[1]} ", f"in {right[1]}"
    else:
        what, first, second = _amount_in_words(formula.left), "", _amount_in_words(formula.right)
    verb = "are" if what.startswith("regions") and first else "is"
    return f"{what} {verb} {_THAN[formula.symbol].format(first)} {second}"


def region_in_words(label: str) -> str:
    number, mark, condition = label.partition(";%")
    return _amount_in_words(Region(number, condition.removesuffix("%"))) if mark else label


def _sum(side: Formula) -> tuple[str, str] | None:
    """What is added up and the condition, where a side is one region or a sum of regions of one condition."""
    regions = _added(side)
    conditions = {region.condition for region in regions}
    if len(conditions) != 1:
        return None
    return _named_regions([region.number for region in regions]), conditions.pop()


def _added(side: Formula) -> list[Region]:
    if isinstance(side, Region):
        return [side]
    if isinstance(side, Operation) and side.symbol == "+":
        left, right = _added(side.left), _added(side.right)
        return left + right if left and right else []
    return []


def _named_regions(numbers: list[str]) -> str:
    if numbers == [SENTENCE]:
        return "the whole sentence"
    if len(numbers) == 1:
        return f"region {numbers[0]}"
    return f"regions {', '.join(numbers[:-1])} and {numbers[-1]} together"


def _amount_in_words(side: Formula) -> str:
    if isinstance(side, Number):
        return f"{side} bits"
    if added := _added(side):
        parts = [(name, [one.number for one in of]) for name, of in groupby(added, lambda one: one.condition)]
        return " plus ".join(f"{_named_regions(numbers)} in {condition}" for condition, numbers in parts)
    assert isinstance(side, Operation)
    right = _amount_in_words(side.right)
    nested = isinstance(side.right, Operation) and not _added(side.right)
    return f"{_amount_in_words(side.left)} {_SIGNS[side.symbol]} {f'({right})' if nested else right}"


def parsed(formula: str, grammar: str, start: str, expected: str) -> Tree[Token]:
    """The tree of a formula by a grammar of lark's; InputError quotes what cannot be read, and says `expected`."""
    from lark.exceptions import UnexpectedInput, UnexpectedToken

    try:
        return _parser(grammar, start).parse(formula)
    except UnexpectedInput as error:
        at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        where = "ends too early" if at_end else f"cannot be read from '{formula[error.pos_in_stream :]}' on"
        raise InputError(f"The formula {where}. {expected}") from None


@cache
def _parser(grammar: str, start: str) -> Lark:
    from lark import Lark

    return Lark(grammar, start=start, parser="lalr")


Reals = NDArray[np.float64]

SENTENCE = "*"
"""The number of the region that is the whole sentence."""
RTOL, ATOL = 1e-5, 1e-3
"""`a = b` holds if the sides differ by no more than ATOL + RTOL |b|, in bits, as in SyntaxGym."""
MOST_CHARACTERS = 4_000
MOST_PARTS = 250
"""Regions, numbers and operations of one formula."""
MOST_ORDERS = factorial(8)
_REMEMBERED = 1_000

_GRAMMAR = r"""
?either: both | either "|" both -> any
?both: claim | both "&" claim -> all
?claim: sum "<" sum -> less | sum ">" sum -> greater | sum "=" sum -> equal | "[" either "]" | "(" either ")"
?sum: term | sum "+" term -> plus | sum _MINUS term -> minus
?term: REGION -> region | NUMBER -> number | _MINUS NUMBER -> negative | "[" sum "]" | "(" sum ")"
REGION.2: /\(\s*(?:\d+|\*)\s*;\s*%[^%]+%\s*\)/
_MINUS: /[-−]/
%import common.NUMBER
%ignore /\s+/
"""
_EXPECTED = (
    "It must compare two sides with <, > or =, and may hold regions such as (6;%plaus%), numbers, + - & | "
    "and brackets."
)
_SYMBOLS = {"any": "|", "all": "&", "less": "<", "greater": ">", "equal": "=", "plus": "+", "minus": "-"}
_BINDING = {"|": 0, "&": 1, "<": 2, ">": 2, "=": 2, "+": 3, "-": 3}


@dataclass(frozen=True, slots=True)
class Region:
    """The surprisal of a region of a condition's sentence, `*` for the whole sentence."""

    number: str
    condition: str

    @property
    def label(self) -> str:
        return f"{self.number};%{self.condition}%"

    def __str__(self) -> str:
        return f"({self.label})"


@dataclass(frozen=True, slots=True)
class Number:
    value: float

    def __str__(self) -> str:
        return np.format_float_positional(self.value, trim="-")


@dataclass(frozen=True, slots=True)
class Operation:
    """`left symbol right`; as text with the necessary brackets, and with brackets around comparisons."""

    symbol: str
    left: Formula
    right: Formula

    def __str__(self) -> str:
        return f"{self._side(self.left, 0)} {self.symbol} {self._side(self.right, 1)}"

    def _side(self, side: Formula, tighter: int) -> str:
        if not isinstance(side, Operation):
            return str(side)
        inner, outer = _BINDING[side.symbol], _BINDING[self.symbol]
        return f"[{side}]" if inner < outer + tighter or (inner == 2 and outer < 2) else str(side)


Formula = Region | Number | Operation


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a prediction, per item.

    `margin`, in bits, is the side of a comparison that should be larger minus the other one, for `=` the tolerance
    minus the difference; of `&` the smaller, of `|` the larger of two. It is positive where the prediction holds,
    negative where it fails, 0 where equal sides decide against it, and NaN where a surprisal is.
    """

    holds: NDArray[np.bool_]
    margin: Reals

    @property
    def tie(self) -> NDArray[np.bool_]:
        """Where `<` or `>` fails only because both sides are equal, exactly."""
        return np.equal(self.margin, 0) & ~self.holds


@lru_cache(_REMEMBERED)
def formula_of(text: str) -> Operation:
    """The formula in a text. Raises InputError that quotes the place where it cannot be read."""
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"A formula has {MOST_CHARACTERS:,} characters at most, this one has {len(text):,}.")
    nodes: dict[int, Formula] = {}
    tree = parsed(text, _GRAMMAR, "either", _EXPECTED)
    for part in tree.iter_subtrees():  # subtrees come before the trees that they are in
        nodes[id(part)] = _node(part, nodes)
    if len(nodes) > MOST_PARTS:
        raise InputError(f"A formula has {MOST_PARTS} parts at most, this one has {len(nodes)}.")
    whole = nodes[id(tree)]
    assert isinstance(whole, Operation)
    if not regions_of(whole):
        raise InputError(f"The formula names no region. {_EXPECTED}")
    return whole


def _node(part: Tree[Token], nodes: Mapping[int, Formula]) -> Formula:
    if part.data in _SYMBOLS:
        left, right = (nodes[id(side)] for side in part.children)
        return Operation(_SYMBOLS[part.data], left, right)
    token = str(part.children[0])
    if part.data == "region":
        number, condition = token[1:-1].split(";", 1)
        return Region(number.strip().lstrip("0") or "0", condition.strip()[1:-1])
    return Number(float(token) * (-1 if part.data == "negative" else 1))


def regions_of(formula: Formula) -> list[Region]:
    return list(dict.fromkeys(_regions(formula)))


def _regions(formula: Formula) -> Iterator[Region]:
    if isinstance(formula, Operation):
        yield from _regions(formula.left)
        yield from _regions(formula.right)
    elif isinstance(formula, Region):
        yield formula


def verdict(formula: Formula, surprisals: Mapping[str, Reals]) -> Verdict:
    """Whether a prediction holds for each item. `surprisals`: by label of a region, one per item, in bits."""
    assert isinstance(formula, Operation)
    if formula.symbol in "&|":
        left, right = verdict(formula.left, surprisals), verdict(formula.right, surprisals)
        if formula.symbol == "&":
            return Verdict(left.holds & right.holds, np.minimum(left.margin, right.margin))
        return Verdict(left.holds | right.holds, np.maximum(left.margin, right.margin))
    first, second = _amount(formula.left, surprisals), _amount(formula.right, surprisals)
    if formula.symbol == "=":
        margin = ATOL + RTOL * np.abs(second) - np.abs(first - second)
        return Verdict(margin >= 0, margin)
    margin = np.asarray(second - first if formula.symbol == "<" else first - second)
    return Verdict(margin > 0, margin)


def _amount(formula: Formula, surprisals: Mapping[str, Reals]) -> Reals:
    if isinstance(formula, Region):
        return surprisals[formula.label]
    if isinstance(formula, Number):
        return np.float64(formula.value)  # type: ignore[return-value]
    left, right = _amount(formula.left, surprisals), _amount(formula.right, surprisals)
    return left + right if formula.symbol == "+" else left - right


@lru_cache(_REMEMBERED)
def chance(formula: Formula) -> float:
    """The share of all orders of its regions' surprisals in which a prediction holds; equal sides count one half.

    The surprisals are the ranks 1, 2, ...: 1/2 for one comparison, 1/4 for two of different regions, 1/3 for
    `[a > b] & [a > c]`. For more than 8 regions, 8! orders are drawn, always the same.
    """
    labels = [region.label for region in regions_of(formula)]
    n = len(labels)
    if factorial(n) <= MOST_ORDERS:
        orders = np.array(list(permutations(range(1, n + 1))), np.float64)
    else:
        drawn = np.tile(np.arange(1.0, n + 1), (MOST_ORDERS, 1))
        orders = np.random.default_rng(0).permuted(drawn, axis=1)
    truth = verdict(formula, dict(zip(labels, orders.T, strict=True)))
    return float(np.mean(truth.holds + truth.tie / 2))

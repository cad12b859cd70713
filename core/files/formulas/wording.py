"""Predictions about regions as sentences: `region 5 is more surprising in plaus than in implaus`."""

from itertools import groupby

from core.files.formulas import SENTENCE, Formula, Number, Operation, Region

_JOINED = {"&": "; and ", "|": "; or "}
_THAN = {">": "more surprising {}than", "<": "less surprising {}than", "=": "as surprising {}as"}
_SIGNS = {"+": "plus", "-": "minus"}


def in_words(formula: Formula) -> str:
    """A prediction in words; conditions keep the names that the suite gives them."""
    if not isinstance(formula, Operation) or formula.symbol in _SIGNS:
        return _amount(formula)
    if formula.symbol in _JOINED:
        return _JOINED[formula.symbol].join(in_words(side) for side in (formula.left, formula.right))
    left, right = _sum(formula.left), _sum(formula.right)
    if left and right and left[0] == right[0]:
        what, first, second = left[0], f"in {left[1]} ", f"in {right[1]}"
    else:
        what, first, second = _amount(formula.left), "", _amount(formula.right)
    verb = "are" if what.startswith("regions") and first else "is"
    return f"{what} {verb} {_THAN[formula.symbol].format(first)} {second}"


def region_in_words(label: str) -> str:
    """`6;%plaus%` as `region 6 in plaus`; any other label as it is."""
    number, mark, condition = label.partition(";%")
    return _amount(Region(number, condition.removesuffix("%"))) if mark else label


def _sum(side: Formula) -> tuple[str, str] | None:
    """What is added up and the condition, where a side is one region or a sum of regions of one condition."""
    regions = _added(side)
    conditions = {region.condition for region in regions}
    if len(conditions) != 1:
        return None
    return _regions([region.number for region in regions]), conditions.pop()


def _added(side: Formula) -> list[Region]:
    """The regions of a sum of nothing else; else none."""
    if isinstance(side, Region):
        return [side]
    if isinstance(side, Operation) and side.symbol == "+":
        left, right = _added(side.left), _added(side.right)
        return left + right if left and right else []
    return []


def _regions(numbers: list[str]) -> str:
    if numbers == [SENTENCE]:
        return "the whole sentence"
    if len(numbers) == 1:
        return f"region {numbers[0]}"
    return f"regions {', '.join(numbers[:-1])} and {numbers[-1]} together"


def _amount(side: Formula) -> str:
    if isinstance(side, Number):
        return f"{side} bits"
    if added := _added(side):
        parts = [(name, [one.number for one in of]) for name, of in groupby(added, lambda one: one.condition)]
        return " plus ".join(f"{_regions(numbers)} in {condition}" for condition, numbers in parts)
    assert isinstance(side, Operation)
    right = _amount(side.right)
    nested = isinstance(side.right, Operation) and not _added(side.right)
    return f"{_amount(side.left)} {_SIGNS[side.symbol]} {f'({right})' if nested else right}"
